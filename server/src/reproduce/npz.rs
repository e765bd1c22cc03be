//! Arrays as a file of NumPy's: a ZIP archive, stored, with a `.npy` for each.

use std::io::{Cursor, Write};

use tracer_core::array::Tensor;
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

/// An array as a `.npy` file of version 1: a header of text, filled up to a multiple of 64 bytes, then the elements by rows.
fn npy(tensor: &Tensor) -> Option<Vec<u8>> {
    let (kind, elements) = tensor.little_endian()?;
    let sizes: Vec<String> = tensor.shape.iter().map(ToString::to_string).collect();
    let shape = match &sizes[..] {
        [one] => format!("({one},)"),
        all => format!("({})", all.join(", ")),
    };
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let length = (10 + header.len() + 1).div_ceil(64) * 64 - 10;
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend(u16::try_from(length).ok()?.to_le_bytes());
    out.extend(format!("{header:<width$}\n", width = length - 1).into_bytes());
    out.extend(elements);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_has_a_header_and_its_elements() {
        let bytes = npy(&Tensor::new(vec![2], vec![1.0f32, 2.0])).expect("an array");
        assert_eq!(bytes.len(), 128 + 8);
        assert!(
            bytes.starts_with(b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }")
        );
        assert_eq!(bytes[124..128], [b' ', b' ', b' ', b'\n']);
        assert_eq!(bytes[132..], 2.0f32.to_le_bytes());
    }
}
