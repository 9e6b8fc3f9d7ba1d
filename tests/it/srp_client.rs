//! The client's half of a sign-in by SRP, written from the protocol and not from the server.

use base64::{Engine, engine::general_purpose::STANDARD};
use crypto_bigint::{
    Odd, U3072,
    modular::{FixedMontyForm, FixedMontyParams},
};
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

const N: &str = "ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404ddef9519b3cd3a431b302b0a6df25f1437\
4fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7edee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf05\
98da48361c55d39a69163fa8fd24cf5f83655d23dca3ad961c62f356208552bb9ed529077096966d670c354e4abc9804f1746c08ca18217c32905e462e36ce3b\
e39e772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf6955817183995497cea956ae515d2261898fa051015728e5a8aaac42dad33170d04507a33\
a85521abdf1cba64ecfb850458dbef0a8aea71575d060c7db3970f85a6e1e4c7abf5ae8cdb0933d71e8c94e04a25619dcee3d2261ad2ee6bf12ffa06d98a0864\
d87602733ec86a64521f2b18177b200cbbe117577a615d6c770988c0bad946e208e24fa074e5ab3143db5bfce0fd108e4b82d120a93ad2caffffffffffffffff";
const TIMESTAMP: &str = "Tue Jun 16 09:00:00 UTC 2026";

type Form = FixedMontyForm<{ U3072::LIMBS }>;

/// A client in the middle of a sign-in.
pub struct SrpClient {
    params: FixedMontyParams<{ U3072::LIMBS }>,
    a: U3072,
}

impl SrpClient {
    /// With a secret of one's own choice.
    pub fn new(secret: u64) -> Self {
        let n = U3072::from_be_hex(N);
        Self {
            params: FixedMontyParams::new(Odd::new(n).unwrap()),
            a: U3072::from(secret).wrapping_shl(64).wrapping_add(&U3072::from(secret)),
        }
    }

    /// SRP_A.
    pub fn srp_a(&self) -> String {
        hex::encode(minimal(&self.big_a()))
    }

    /// The responses to a challenge.
    pub fn answer(&self, pool_name: &str, password: &str, challenge: &HashMap<String, String>) -> HashMap<String, String> {
        let user = &challenge["USER_ID_FOR_SRP"];
        let big_b = U3072::from_be_hex(&format!("{:0>768}", challenge["SRP_B"]));
        let salt = hex::decode(&challenge["SALT"]).unwrap();
        let u = hash(&[&minimal(&self.big_a()), &minimal(&big_b)]);
        let x = hash(&[&salt, &digest(&[format!("{pool_name}{user}:{password}").as_bytes()])]);
        let k = hash(&[&minimal(&U3072::from_be_hex(N)), &[2]]);
        let (form, g) = (|n: &U3072| Form::new(n, &self.params), Form::new(&U3072::from(2_u8), &self.params));
        let base = form(&big_b).sub(&form(&k).mul(&g.pow(&x)));
        let s = base.pow(&self.a.wrapping_add(&u.wrapping_mul(&x))).retrieve();
        let key = hmac(&hmac(&minimal(&u), &[&minimal(&s)]), &[b"Caldera Derived Key\x01"]);
        let block = STANDARD.decode(&challenge["SECRET_BLOCK"]).unwrap();
        let signature = hmac(&key[..16], &[pool_name.as_bytes(), user.as_bytes(), &block, TIMESTAMP.as_bytes()]);
        let responses = [
            ("USERNAME", user.clone()),
            ("PASSWORD_CLAIM_SECRET_BLOCK", challenge["SECRET_BLOCK"].clone()),
            ("PASSWORD_CLAIM_SIGNATURE", STANDARD.encode(signature)),
            ("TIMESTAMP", TIMESTAMP.to_owned()),
        ];
        responses.map(|(name, value)| (name.to_owned(), value)).into()
    }

    /// A device's secret as its client keeps it: the verifier, in hexadecimal.
    pub fn verifier(&self, name: &str, user: &str, password: &str, salt: &[u8]) -> String {
        let x = hash(&[salt, &digest(&[format!("{name}{user}:{password}").as_bytes()])]);
        hex::encode(minimal(&Form::new(&U3072::from(2_u8), &self.params).pow(&x).retrieve()))
    }

    fn big_a(&self) -> U3072 {
        Form::new(&U3072::from(2_u8), &self.params).pow(&self.a).retrieve()
    }
}

fn minimal(number: &U3072) -> Vec<u8> {
    let bytes = number.to_be_bytes();
    let mut digits: Vec<u8> = bytes.as_ref().iter().copied().skip_while(|b| *b == 0).collect();
    if digits.first().is_none_or(|b| *b > 0x7f) {
        digits.insert(0, 0);
    }
    digits
}

fn digest(parts: &[&[u8]]) -> Vec<u8> {
    Sha256::digest(parts.concat()).to_vec()
}

fn hash(parts: &[&[u8]]) -> U3072 {
    U3072::from_be_hex(&format!("{:0>768}", hex::encode(digest(parts))))
}

fn hmac(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(&parts.concat());
    mac.finalize().into_bytes().to_vec()
}
