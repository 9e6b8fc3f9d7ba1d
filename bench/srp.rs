//! The client's half of a sign-in by SRP, as user-pool clients do it.

use crypto_bigint::{
    Odd, U256, U768, U3072,
    modular::{FixedMontyForm, FixedMontyParams},
};
use hkdf::Hkdf;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

type Form = FixedMontyForm<{ U3072::LIMBS }>;

/// RFC 5054's 3072-bit group.
const N_HEX: &str = "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD\
    EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED\
    EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F\
    83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B\
    E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510\
    15728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7\
    ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200C\
    BBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF";

/// A client's secret, for any number of sign-ins.
#[derive(Clone)]
pub struct Client {
    params: FixedMontyParams<{ U3072::LIMBS }>,
    a: U256,
    big_a: U3072,
}

impl Client {
    /// A new one.
    pub fn new() -> Self {
        let params = FixedMontyParams::new(Odd::new(U3072::from_be_hex(N_HEX)).expect("the group's prime is odd"));
        let a = U256::from_be_slice(&rand::random::<[u8; 32]>());
        let big_a = Form::new(&U3072::from_u8(2), &params).pow_vartime(&a).retrieve();
        Self { params, a, big_a }
    }

    /// A, in hexadecimal.
    pub fn offer(&self) -> String {
        hex::encode(minimal(self.big_a.to_be_bytes().as_ref()))
    }

    /// The key of a sign-in, from what the server answered. `None` for an answer that is not hexadecimal.
    pub fn key(&self, srp_b: &str, salt: &str, identity: &str) -> Option<[u8; 16]> {
        let wide = |hex: &str| U3072::from_be_hex(&format!("{hex:0>768}"));
        let is_hex = |text: &str| text.len() <= 768 && text.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_hex(srp_b) || !is_hex(salt) {
            return None;
        }
        let (b, salt) = (wide(srp_b), wide(salt));
        let u = digest(&[&minimal(self.big_a.to_be_bytes().as_ref()), &minimal(b.to_be_bytes().as_ref())]);
        let x = digest(&[&minimal(salt.to_be_bytes().as_ref()), &digest(&[identity.as_bytes()])]);
        let k = digest(&[&minimal(self.params.modulus().as_ref().to_be_bytes().as_ref()), &[2]]);
        let form = |n: &U3072| Form::new(n, &self.params);
        let v = form(&U3072::from_u8(2)).pow_vartime(&U256::from_be_slice(&x));
        let k = form(&U256::from_be_slice(&k).resize());
        let exponent = ux_plus_a(&u, &x, &self.a);
        let s = form(&b).sub(&k.mul(&v)).pow_vartime(&exponent).retrieve();
        let mut key = [0; 16];
        Hkdf::<Sha256>::new(Some(&minimal(&u)), &minimal(s.to_be_bytes().as_ref())).expand(b"Caldera Derived Key", &mut key).ok()?;
        Some(key)
    }
}

/// The proof of a key.
pub fn sign(key: &[u8; 16], parts: &[&[u8]]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().to_vec()
}

fn ux_plus_a(u: &[u8; 32], x: &[u8; 32], a: &U256) -> U768 {
    let wide = |n: &[u8; 32]| U256::from_be_slice(n).resize::<{ U768::LIMBS }>();
    wide(u).wrapping_mul(&wide(x)).wrapping_add(&a.resize())
}

/// The least two's-complement form: a `00` in front when the top bit is set.
fn minimal(bytes: &[u8]) -> Vec<u8> {
    let digits: Vec<u8> = bytes.iter().copied().skip_while(|b| *b == 0).collect();
    let sign = digits.first().is_none_or(|b| *b >= 0x80).then_some(0);
    sign.into_iter().chain(digits).collect()
}

fn digest(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}
