"""What the scripts in Python share: what they were given, the codes that were sent, and what only the test itself can bring about."""

import base64
import hashlib
import hmac
import json
import re
import struct
import sys
import time
import urllib.request

GIVEN = json.loads(sys.argv[1])
URL, POOL, SECRET = GIVEN["url"], GIVEN["pool"], GIVEN["secret"]
PASSWORD = "Correct-horse-7"
NEW = "Another-horse-9"
PHONES = ["+15551231234", "+15551232345"]
MISMATCH = "Invalid verification code provided, please try again."
INCORRECT = "Incorrect username or password."
REVOKED = "Access Token has been revoked"
_taken = set()


def _ask(**what):
    print(json.dumps(what), flush=True)
    return json.loads(sys.stdin.readline())


def advance(seconds):
    """Lets time go by; the server's time, in seconds since the epoch."""
    return _ask(advance=seconds)["now"]


def reset_password(uid):
    """Has an operator set a member's password; the password."""
    return _ask(reset=uid)["password"]


def code_for(to, words):
    """The code in the newest message to an address that has these words and was not looked at before."""
    for _ in range(1000):
        with urllib.request.urlopen(f"{URL}/dev/outbox.json") as answer:
            messages = json.load(answer)["messages"]
        found = next((m for m in messages if m["to"] == to and words in m["body"]), None)
        code = found and re.search(r"\b\d{6}\b", found["body"]).group()
        if code and (to, words, code) not in _taken:
            _taken.add((to, words, code))
            return code
        time.sleep(0.01)
    raise AssertionError(f"no code came for {to} about {words!r}")


def another(code):
    """A wrong code."""
    return f"{(int(code) + 1) % 1_000_000:06}"


def totp(secret):
    """The code of an authenticator at the server's time (RFC 6238)."""
    mac = hmac.new(base64.b32decode(secret), struct.pack(">Q", advance(0) // 30), hashlib.sha1).digest()
    at = mac[-1] & 15
    return f"{(struct.unpack('>I', mac[at:at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def refused(exception, message, call, *positional, **named):
    """That a call raises an exception, with this message when one is given."""
    try:
        answer = call(*positional, **named)
    except exception as error:
        if message is not None:
            assert error.response["Error"]["Message"] == message, error
        return error
    raise AssertionError(f"{exception} was expected: {answer}")
