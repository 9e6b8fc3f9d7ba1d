//! RFC 5054's 3072-bit group with g = 2.

use crypto_bigint::{
    Odd, U256, U3072,
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

struct Group {
    n: U3072,
    params: FixedMontyParams<{ U3072::LIMBS }>,
    g: Form,
}

static GROUP: LazyLock<Group> = LazyLock::new(|| {
    let n = U3072::from_be_hex(N_HEX);
    let params = FixedMontyParams::new(Odd::new(n).expect("the group's prime is odd"));
    Group { n, params, g: Form::new(&U3072::from_u8(2), &params) }
});

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

/// g to a secret power. The time does not tell the exponent.
pub fn power_of_g(exponent: &[u8; 32]) -> Form {
    GROUP.g.pow(&U256::from_be_slice(exponent))
}
