//! Arrays as a file of NumPy's: a ZIP archive, stored, with a `.npy` for each.

use std::io::{Cursor, Write};

use tracer_core::array::{DType, Tensor, npy};
use tracer_core::repro::Datum;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The bytes of the file. What cannot be written is left out.
pub fn bytes(data: &[Datum]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for datum in data {
        let Some(array) = npy(&datum.tensor) else { continue };
        if archive.start_file(format!("{}.npy", datum.name), options).is_ok() {
            let _ = archive.write_all(&array);
        }
    }
    archive.finish().map(Cursor::into_inner).unwrap_or_default()
}

/// An array as a `.npy` file; `None` for what NumPy alone has no type for.
fn npy(tensor: &Tensor) -> Option<Vec<u8>> {
    if tensor.dtype == DType::BF16 {
        return None;
    }
    let mut out = Vec::new();
    npy::write(tensor, &mut out).ok()?;
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_has_a_header_and_its_elements() {
        let bytes = npy(&Tensor::new(vec![2], vec![1.0f32, 2.0])).expect("an array");
        assert_eq!(bytes.len() % 64, 8);
        assert!(bytes.starts_with(b"\x93NUMPY") && bytes[bytes.len() - 4..] == 2.0f32.to_le_bytes());
    }
}
