//! Digests of bytes, for `hashlib`.

use md5::Md5;
use sha1::Sha1;
use sha2::digest::Digest;
use sha2::{Sha224, Sha256, Sha384, Sha512};

use super::Members;
use crate::python::Value;
use crate::python::halt::Halt;

/// Adds the functions.
pub(super) fn members(members: &mut Members) {
    // digest(name, data): the digest of bytes by the algorithm of this name.
    members.function("digest", |_, args| {
        let [name, data] = args.exactly("digest")?;
        let Value::Bytes(data) = data.base() else { return Err(Halt::unknown("the digest of unknown bytes")) };
        let digest = match name.as_str().unwrap_or_default() {
            "md5" => Md5::digest(data).to_vec(),
            "sha1" => Sha1::digest(data).to_vec(),
            "sha224" => Sha224::digest(data).to_vec(),
            "sha256" => Sha256::digest(data).to_vec(),
            "sha384" => Sha384::digest(data).to_vec(),
            "sha512" => Sha512::digest(data).to_vec(),
            name => return Err(Halt::unknown(format!("`hashlib.{name}` is not modelled"))),
        };
        Ok(Value::Bytes(digest.into()))
    });
}
