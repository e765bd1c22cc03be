"""Scikit-learn: data sets and what prepares them, by shapes and types."""
