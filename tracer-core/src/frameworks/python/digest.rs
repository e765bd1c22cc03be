//! Digests of bytes, for `hashlib`.

use blake2::digest::VariableOutput;
use blake2::{Blake2bVar, Blake2sVar};
use md5::Md5;
use sha1::Sha1;
use sha2::digest::Digest;
use sha2::{Sha224, Sha256, Sha384, Sha512};
use sha3::digest::{ExtendableOutput, XofReader};
use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256};

use super::Members;
use crate::python::Value;
use crate::python::halt::Halt;

/// Digests whose length one may choose are at most so long.
const LONGEST: usize = 1 << 20;

fn no_size() -> Halt {
    Halt::unknown("a digest of this length")
}

fn blake(mut hasher: impl VariableOutput, data: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut out = vec![0; size];
    hasher.update(data);
    hasher.finalize_variable(&mut out).ok()?;
    Some(out)
}

fn shake(mut hasher: impl ExtendableOutput, data: &[u8], size: usize) -> Vec<u8> {
    let mut out = vec![0; size];
    hasher.update(data);
    hasher.finalize_xof().read(&mut out);
    out
}

/// Adds the functions.
pub(super) fn members(members: &mut Members) {
    // digest(name, data, size): the digest of bytes by the algorithm of this name; so long where one may choose.
    members.function("digest", |_, args| {
        let [name, data, size] = args.exactly("digest")?;
        let size = match size {
            Value::Int(size) => usize::try_from(size).ok().filter(|size| *size <= LONGEST),
            _ => None,
        };
        let size = size.ok_or_else(|| Halt::unknown("a digest of this length"))?;
        let Value::Bytes(data) = data.base() else { return Err(Halt::unknown("the digest of unknown bytes")) };
        let digest = match name.as_str().unwrap_or_default() {
            "md5" => Md5::digest(data).to_vec(),
            "sha1" => Sha1::digest(data).to_vec(),
            "sha224" => Sha224::digest(data).to_vec(),
            "sha256" => Sha256::digest(data).to_vec(),
            "sha384" => Sha384::digest(data).to_vec(),
            "sha512" => Sha512::digest(data).to_vec(),
            "sha3_224" => Sha3_224::digest(data).to_vec(),
            "sha3_256" => Sha3_256::digest(data).to_vec(),
            "sha3_384" => Sha3_384::digest(data).to_vec(),
            "sha3_512" => Sha3_512::digest(data).to_vec(),
            "shake_128" => shake(Shake128::default(), data, size),
            "shake_256" => shake(Shake256::default(), data, size),
            "blake2b" => Blake2bVar::new(size).ok().and_then(|hasher| blake(hasher, data, size)).ok_or_else(no_size)?,
            "blake2s" => Blake2sVar::new(size).ok().and_then(|hasher| blake(hasher, data, size)).ok_or_else(no_size)?,
            name => return Err(Halt::unknown(format!("`hashlib.{name}` is not modelled"))),
        };
        Ok(Value::Bytes(digest.into()))
    });
}
