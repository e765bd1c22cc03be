//! Arrays in NumPy's files: `.npy`, and archives of such, `.npz`.

use std::io::{self, Read, Seek, Write};

use half::f16;
use npyz::{Endianness, NpyFile, Order, TypeChar, WriterBuilder};
use num_complex::Complex;

use super::tensor::{Data, Element, Sizes};
use super::{Aval, DType, Tensor};

/// An array of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// Its type.
    pub aval: Aval,
    /// Its numbers, where there are not too many.
    pub tensor: Option<Tensor>,
    /// The bytes of its elements are in the other order: NumPy tells such types apart, and JAX refuses them.
    pub swapped: bool,
}

/// The array of a `.npy` file; its numbers, if they are no more than `most`.
///
/// # Errors
/// For what is no such file, is cut off, or holds what arrays here do not: texts, objects, records, dates.
pub fn read(reader: impl Read, most: usize) -> io::Result<Stored> {
    let file = NpyFile::new(headed(reader)?)?;
    let shape = file.shape().iter().map(|&n| usize::try_from(n)).collect::<Result<Sizes, _>>().map_err(odd)?;
    let count = shape.iter().try_fold(1usize, |n, &size| n.checked_mul(size)).ok_or_else(|| odd("too large"))?;
    let kind = match file.dtype() {
        npyz::DType::Plain(kind) => kind,
        other => return Err(odd(format!("elements of type {}", other.descr()))),
    };
    let dtype = match (kind.type_char(), kind.size_field()) {
        (TypeChar::Bool, 1) => DType::Bool,
        (TypeChar::Int, 1) => DType::I8,
        (TypeChar::Int, 2) => DType::I16,
        (TypeChar::Int, 4) => DType::I32,
        (TypeChar::Int, 8) => DType::I64,
        (TypeChar::Uint, 1) => DType::U8,
        (TypeChar::Uint, 2) => DType::U16,
        (TypeChar::Uint, 4) => DType::U32,
        (TypeChar::Uint, 8) => DType::U64,
        (TypeChar::Float, 2) => DType::F16,
        (TypeChar::Float, 4) => DType::F32,
        (TypeChar::Float, 8) => DType::F64,
        (TypeChar::Complex, 8) => DType::C64,
        (TypeChar::Complex, 16) => DType::C128,
        _ => return Err(odd(format!("elements of type {kind}"))),
    };
    let swapped = kind.endianness() == Endianness::Big;
    let aval = Aval::new(dtype, shape.iter().copied());
    if count > most {
        return Ok(Stored { aval, tensor: None, swapped });
    }
    let order = file.order();
    let tensor = match dtype {
        DType::Bool => values::<bool, _>(file, shape, order),
        DType::I8 => values::<i8, _>(file, shape, order),
        DType::I16 => values::<i16, _>(file, shape, order),
        DType::I32 => values::<i32, _>(file, shape, order),
        DType::I64 => values::<i64, _>(file, shape, order),
        DType::U8 => values::<u8, _>(file, shape, order),
        DType::U16 => values::<u16, _>(file, shape, order),
        DType::U32 => values::<u32, _>(file, shape, order),
        DType::U64 => values::<u64, _>(file, shape, order),
        DType::F16 => values::<f16, _>(file, shape, order),
        DType::F32 => values::<f32, _>(file, shape, order),
        DType::F64 => values::<f64, _>(file, shape, order),
        DType::C64 => values::<Complex<f32>, _>(file, shape, order),
        _ => values::<Complex<f64>, _>(file, shape, order),
    }?;
    Ok(Stored { aval, tensor: Some(tensor), swapped })
}

/// The pickled bytes of a `.npy` file whose elements are objects, if it is one and they are no more than `most`.
///
/// # Errors
/// For what is no such file, or a longer one.
pub fn pickled(reader: impl Read, most: u64) -> io::Result<Option<Vec<u8>>> {
    let (header, rest) = header(reader)?;
    if !String::from_utf8_lossy(&header).contains("'descr': '|O'") {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    match rest.take(most + 1).read_to_end(&mut bytes)? as u64 <= most {
        true => Ok(Some(bytes)),
        false => Err(odd("too many objects")),
    }
}

/// The first bytes of a file, with its header, and what follows them.
fn header<R: Read>(mut reader: R) -> io::Result<(Vec<u8>, R)> {
    let mut head = vec![0; 10];
    reader.read_exact(&mut head)?;
    let mut length = usize::from(u16::from_le_bytes([head[8], head[9]]));
    if head[6] > 1 {
        let mut high = [0; 2];
        reader.read_exact(&mut high)?;
        head.extend(high);
        length += usize::from(u16::from_le_bytes(high)) << 16;
    }
    if length > MOST_HEADER {
        return Err(odd("its header is too long"));
    }
    let start = head.len();
    head.resize(start + length, 0);
    reader.read_exact(&mut head[start..])?;
    Ok((head, reader))
}

/// A file whose header is of a likely length, with sizes whose product is a number of bytes: the library multiplies them unchecked.
fn headed(reader: impl Read) -> io::Result<impl Read> {
    let (head, reader) = header(reader)?;
    let text = String::from_utf8_lossy(&head);
    let shape = text.split_once("shape").and_then(|(_, rest)| rest.split_once('(')?.1.split_once(')'));
    let sizes = shape.map_or("", |(sizes, _)| sizes).split(',').filter_map(|size| size.trim().parse::<u64>().ok());
    // No element is longer than 16 bytes.
    sizes.map(|size| size.max(1)).try_fold(16u64, u64::checked_mul).ok_or_else(|| odd("too large"))?;
    Ok(io::Cursor::new(head).chain(reader))
}

/// Longer headers are read by nobody.
const MOST_HEADER: usize = 1 << 16;

fn odd(why: impl ToString) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.to_string())
}

fn values<T: Element + npyz::Deserialize, R: Read>(file: NpyFile<R>, shape: Sizes, order: Order) -> io::Result<Tensor> {
    let values = file.into_vec::<T>()?;
    if values.len() != shape.iter().product::<usize>() {
        return Err(odd("the file is cut off"));
    }
    if order == Order::C || shape.len() < 2 {
        return Ok(Tensor::new(shape, values));
    }
    // Columns first: the transpose, with its axes the other way round.
    let back: Vec<usize> = (0..shape.len()).rev().collect();
    let turned: Sizes = shape.iter().rev().copied().collect();
    Ok(Tensor::new(turned, values).permute(&back))
}

/// The arrays of an archive with their names, in its order; each as [`read`] gives it, or why it is not read.
///
/// # Errors
/// For what is no archive.
pub fn read_archive(reader: impl Read + Seek, most: usize) -> io::Result<Vec<(String, io::Result<Stored>)>> {
    let mut archive = zip::ZipArchive::new(reader).map_err(odd)?;
    let mut all = Vec::new();
    let mut left = most;
    for i in 0..archive.len() {
        let entry = archive.by_index(i).map_err(odd)?;
        let name = entry.name().map_err(odd)?.into_owned();
        let Some(name) = name.strip_suffix(".npy").map(str::to_owned) else { continue };
        let stored = read(entry, left);
        // What all of them hold together is bounded, and so is what a small file may unfold to.
        if let Ok(Stored { tensor: Some(tensor), .. }) = &stored {
            left -= tensor.len();
        }
        all.push((name, stored));
    }
    Ok(all)
}

/// Writes a tensor as a `.npy` file. What NumPy has no type for is written in one that holds it: 16- and 8-bit floats that are not
/// `float16` as `float32`, 4-bit integers as 8-bit ones, keys as their words.
///
/// # Errors
/// Where the writer fails, or there are no numbers.
pub fn write(tensor: &Tensor, writer: impl Write) -> io::Result<()> {
    let tensor = match tensor.dtype {
        DType::BF16 => tensor.convert(DType::F32),
        _ => tensor.physical(),
    };
    match &tensor.data {
        Data::Bool(v) => all(&tensor, v, writer),
        Data::I8(v) => all(&tensor, v, writer),
        Data::I16(v) => all(&tensor, v, writer),
        Data::I32(v) => all(&tensor, v, writer),
        Data::I64(v) => all(&tensor, v, writer),
        Data::U8(v) => all(&tensor, v, writer),
        Data::U16(v) => all(&tensor, v, writer),
        Data::U32(v) => all(&tensor, v, writer),
        Data::U64(v) => all(&tensor, v, writer),
        Data::F16(v) => all(&tensor, v, writer),
        Data::F32(v) => all(&tensor, v, writer),
        Data::F64(v) => all(&tensor, v, writer),
        Data::C64(v) => all(&tensor, v, writer),
        Data::C128(v) => all(&tensor, v, writer),
        Data::BF16(_) | Data::None => Err(odd("no numbers")),
    }
}

fn all<T: Element + npyz::AutoSerialize>(tensor: &Tensor, values: &[T], writer: impl Write) -> io::Result<()> {
    let shape: Vec<u64> = tensor.shape.iter().map(|&n| n as u64).collect();
    let mut out = npyz::WriteOptions::new().default_dtype().shape(&shape).writer(writer).begin_nd()?;
    out.extend(values.iter().copied())?;
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(tensor: &Tensor) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(tensor, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn what_is_written_is_read_again() {
        for tensor in [
            Tensor::new(&[2, 3][..], vec![1.5f32, -0.0, f32::NAN, 3.0, 4.0, 5.0])
                .convert(DType::F64)
                .convert(DType::F32),
            Tensor::new(&[0, 2][..], Vec::<i64>::new()),
            Tensor::scalar(true),
            Tensor::new(&[2][..], vec![Complex::new(1.0f64, -2.0); 2]),
        ] {
            let stored = read(&written(&tensor)[..], 10).unwrap();
            assert_eq!(stored.aval, tensor.aval());
            assert_eq!(format!("{:?}", stored.tensor.unwrap()), format!("{tensor:?}"));
        }
    }

    #[test]
    fn types_that_numpy_has_not_are_widened() {
        let short = Tensor::new(&[2][..], vec![0.5f32, 3.0]).convert(DType::BF16);
        assert_eq!(read(&written(&short)[..], 10).unwrap().tensor, Some(short.convert(DType::F32)));
        let keys = Tensor::zeros(DType::Key(super::super::KeyImpl::Threefry), &[3][..]);
        assert_eq!(read(&written(&keys)[..], 10).unwrap().aval, Aval::new(DType::U32, [3, 2]));
    }

    #[test]
    fn bytes_in_the_other_order_are_read() {
        let header = b"{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }\n";
        let head = [&b"\x93NUMPY\x01\x00"[..], &(header.len() as u16).to_le_bytes(), header].concat();
        let bytes = [&head[..], &1.5f32.to_be_bytes(), &(-2.0f32).to_be_bytes()].concat();
        let stored = read(&bytes[..], 9).unwrap();
        assert_eq!((stored.tensor, stored.swapped), (Some(Tensor::new(&[2][..], vec![1.5f32, -2.0])), true));
    }

    #[test]
    fn many_numbers_are_not_read_and_odd_files_are_errors() {
        let bytes = written(&Tensor::new(&[4][..], vec![0.5f32; 4]));
        assert_eq!(
            read(&bytes[..], 3).unwrap(),
            Stored { aval: Aval::new(DType::F32, [4]), tensor: None, swapped: false }
        );
        assert!(read(&bytes[..bytes.len() - 1], 9).is_err());
        assert!(read(&b"PK\x03\x04"[..], 9).is_err() && read(&b""[..], 9).is_err());
        assert!(read_archive(io::Cursor::new(b"no archive"), 9).is_err());
        // A shape whose product is beyond all integers.
        let header =
            b"{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 9223372036854775807), }\n";
        let huge = [&b"\x93NUMPY\x01\x00"[..], &(header.len() as u16).to_le_bytes(), header].concat();
        assert!(read(&huge[..], 9).is_err());
    }
}
