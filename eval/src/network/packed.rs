//! The form in which the file of the network is compiled in: half as large, and gzip makes it a third smaller than the
//! file, which counts for web pages. `eval/build.rs` writes it.
//!
//! The file ends with rows of weights, one weight for each hidden value. Weights of one hidden value are alike, and most
//! are small. So they stand column by column, and a small one takes one byte.
//!
//! | bytes | |
//! | --- | --- |
//! | 4 | length of the file's start, which stands as it is |
//! | 4 | number of rows |
//! | ... | the start |
//! | 1 each | weights column by column, 0, -1, 1, -2 and so on as 0, 1, 2, 3; 255 is for all from 255 |
//! | 2 each | those from 255 |
//! | ... | the end of the file, which stands as it is |

use super::WIDTH;

/// The code of a weight that follows in two bytes.
const LARGE: u8 = u8::MAX;

/// The file. From bytes that the build script has not written comes a file that [`super::Network::from_bytes`] refuses.
pub(super) fn unpack(packed: &[u8]) -> Vec<u8> {
    let (mut start, mut rows) = (0, 0);
    let mut packed = packed;
    for number in [&mut start, &mut rows] {
        let Some((bytes, rest)) = packed.split_first_chunk() else { return Vec::new() };
        (*number, packed) = (u32::from_le_bytes(*bytes) as usize, rest);
    }
    let Some((start, rest)) = packed.split_at_checked(start) else { return Vec::new() };
    let Some((codes, mut rest)) = rows.checked_mul(WIDTH).and_then(|codes| rest.split_at_checked(codes))
    else {
        return Vec::new();
    };
    let mut weights = vec![[0; 2]; codes.len()];
    for (column, codes) in codes.chunks_exact(rows.max(1)).enumerate() {
        for (row, &code) in codes.iter().enumerate() {
            let mut code = u16::from(code);
            if code == LARGE.into() {
                let Some((bytes, after)) = rest.split_first_chunk() else { return Vec::new() };
                (code, rest) = (u16::from_le_bytes(*bytes), after);
            }
            // The last bit is the sign.
            let weight = (code >> 1) ^ (code & 1).wrapping_neg();
            weights[row * WIDTH + column] = weight.to_le_bytes();
        }
    }
    [start, weights.as_flattened(), rest].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::PACKED;

    #[test]
    fn the_network_compiled_in_is_its_file() {
        let file = std::fs::read(env!("SAKMAK_NETWORK_FILE")).unwrap();
        assert_eq!(unpack(PACKED), file);
        assert!(PACKED.len() * 5 < file.len() * 3, "{} of {} bytes", PACKED.len(), file.len());
    }

    #[test]
    fn no_bytes_panic() {
        for length in (0..40).chain([PACKED.len() / 2, PACKED.len() - 1]) {
            assert_ne!(unpack(&PACKED[..length]), unpack(PACKED));
        }
        assert_eq!(unpack(&[0xff; 20]), []);
    }
}
