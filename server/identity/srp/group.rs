//! RFC 5054's 3072-bit group with g = 2.

use crypto_bigint::{
    CtAssign, CtEq, Odd, U3072,
    modular::{FixedMontyForm, FixedMontyParams},
};
use std::sync::LazyLock;

/// The bytes of a group element.
pub const ELEMENT_BYTES: usize = 384;

/// A group element: a verifier, A or B.
pub type Element = [u8; ELEMENT_BYTES];
/// An element as it is calculated with.
pub type Form = FixedMontyForm<{ U3072::LIMBS }>;

const N_HEX: &str = "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD\
    EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED\
    EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F\
    83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B\
    E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510\
    15728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7\
    ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200C\
    BBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF";

/// An exponent of 256 bits is cut into pieces. Each comb has as many of them as it has teeth, and holds every product of the powers of g
/// that its pieces' lowest bits stand for.
const COMBS: usize = 4;
const TEETH: usize = 4;
const PIECE_BITS: usize = 256 / (COMBS * TEETH);

type Comb = [U3072; 1 << TEETH];

struct Group {
    n: U3072,
    params: FixedMontyParams<{ U3072::LIMBS }>,
    combs: [Comb; COMBS],
}

static GROUP: LazyLock<Group> = LazyLock::new(|| {
    let n = U3072::from_be_hex(N_HEX);
    let params = FixedMontyParams::new(Odd::new(n).expect("the group's prime is odd"));
    Group { n, params, combs: combs(&params) }
});

fn combs(params: &FixedMontyParams<{ U3072::LIMBS }>) -> [Comb; COMBS] {
    let mut combs = [[*params.one(); 1 << TEETH]; COMBS];
    let mut power = Form::new(&U3072::from_u8(2), params);
    for tooth in 0..TEETH {
        for comb in &mut combs {
            let (without, with) = comb.split_at_mut(1 << tooth);
            for (entry, product) in with.iter_mut().zip(without) {
                *entry = Form::from_montgomery(*product, params).mul(&power).to_montgomery();
            }
            power = (0..PIECE_BITS).fold(power, |power, _| power.square());
        }
    }
    combs
}

/// The prime.
pub fn n() -> &'static U3072 {
    &GROUP.n
}

/// A number, to calculate with.
pub fn form(bytes: &Element) -> Form {
    Form::new(&U3072::from_be_slice(bytes), &GROUP.params)
}

/// What was calculated.
pub fn element(form: &Form) -> Element {
    bytes_of(&form.retrieve())
}

/// A number, written out.
pub fn bytes_of(number: &U3072) -> Element {
    let mut bytes = [0; ELEMENT_BYTES];
    bytes.copy_from_slice(number.to_be_bytes().as_ref());
    bytes
}

/// g to a secret power, in a quarter of the time that another base takes: by the comb of Lim and Lee (CRYPTO '94), which takes bits that
/// stand far apart in one step. The time does not tell the exponent.
pub fn power_of_g(exponent: &[u8; 32]) -> Form {
    let mut pieces = [0; COMBS * TEETH];
    for (piece, bytes) in pieces.iter_mut().zip(exponent.as_chunks().0.iter().rev()) {
        *piece = u16::from_be_bytes(*bytes);
    }
    (0..PIECE_BITS).rev().fold(Form::one(&GROUP.params), |product, bit| {
        GROUP.combs.iter().enumerate().fold(product.square(), |product, (n, comb)| {
            let own = pieces.iter().skip(n).step_by(COMBS).rev();
            let teeth = own.fold(0, |teeth, piece| teeth << 1 | (piece >> bit) & 1);
            product.mul(&Form::from_montgomery(pick(comb, teeth), &GROUP.params))
        })
    })
}

/// An entry. All are read, so that caches do not tell which was wanted.
fn pick(comb: &Comb, wanted: u16) -> U3072 {
    let mut picked = U3072::ZERO;
    for (n, entry) in (0_u16..).zip(comb) {
        picked.ct_assign(entry, n.ct_eq(&wanted));
    }
    picked
}

const _: () = assert!(PIECE_BITS == u16::BITS as usize, "a piece is a u16");

#[cfg(test)]
mod tests {
    use super::*;
    use crypto_bigint::U256;
    use proptest::prelude::*;

    fn plain_power(exponent: &[u8; 32]) -> Form {
        Form::new(&U3072::from_u8(2), &GROUP.params).pow(&U256::from_be_slice(exponent))
    }

    #[test]
    fn the_least_and_the_greatest_power_of_g_are_right() {
        let mut one = [0; 32];
        one[31] = 1;
        for exponent in [[0; 32], one, [0xff; 32]] {
            assert_eq!(power_of_g(&exponent), plain_power(&exponent), "{exponent:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn the_comb_finds_every_power_of_g(exponent: [u8; 32]) {
            prop_assert_eq!(power_of_g(&exponent), plain_power(&exponent));
        }
    }
}
