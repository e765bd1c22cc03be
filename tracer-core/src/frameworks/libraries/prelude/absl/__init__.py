"""Programs with flags."""
