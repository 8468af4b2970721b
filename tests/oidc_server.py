"""A small OpenID Connect provider on 127.0.0.1: codes with PKCE, ID tokens that it signs, and what a test makes it lie.

    provider.person = {"sub": "1", "email": ...}     who is signed in there; the browser comes back at once
    provider.lies = {"nonce": "other"}               claims of the ID token that are other than they should be
    provider.hides = {"email"}                       claims that only the userinfo endpoint says

Packages that are such a provider cannot be made to answer wrongly, and a client that believes wrong answers looks fine
with right ones.
"""

import base64
import hashlib
import json
import secrets
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

CLIENT, SECRET = "packwright-test", "of the client"


class Provider:
    def __init__(self, issuer):
        self.issuer = issuer
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.codes, self.tokens, self.asked = {}, {}, []
        self.person, self.lies, self.hides, self.other_key = {}, {}, set(), None
        self.subject_of_userinfo = None
        self.refuses = False

    def discovery(self):
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "jwks_uri": f"{self.issuer}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }

    def keys(self):
        public = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(self.key.public_key()))
        return {"keys": [{**public, "kid": "one", "use": "sig", "alg": "ES256"}]}

    def authorize(self, asked):
        """Where the browser goes next."""
        assert (asked["client_id"], asked["response_type"]) == (CLIENT, "code")
        assert asked["code_challenge_method"] == "S256"
        self.asked.append(asked)
        if self.refuses:
            return f"{asked['redirect_uri']}?{urlencode({'error': 'access_denied', 'state': asked['state']})}"
        code = secrets.token_urlsafe(8)
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def authorize_of(self, there):
        """The address in the studio to which a browser comes back that was sent there."""
        assert there.startswith(f"{self.issuer}/authorize?")
        back = urlsplit(self.authorize(dict(parse_qsl(urlsplit(there).query))))
        return f"{back.path}?{back.query}"

    def token(self, given):
        """Tokens for a code, once, to who began with it; None where anything is wrong."""
        asked = self.codes.pop(given.get("code"), None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(given.get("code_verifier", "").encode()).digest())
        if asked is None or challenge.rstrip(b"=").decode() != asked["code_challenge"]:
            return None
        if (given["client_id"], given["client_secret"], given["redirect_uri"]) != (
            CLIENT,
            SECRET,
            asked["redirect_uri"],
        ):
            return None
        access = secrets.token_urlsafe(8)
        self.tokens[access] = dict(self.person)
        now = int(time.time())
        own = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": asked.get("nonce")}
        said = {name: value for name, value in self.person.items() if name not in self.hides}
        claims = {name: value for name, value in {**said, **own, **self.lies}.items() if value is not None}
        signed = jwt.encode(claims, self.other_key or self.key, "ES256", headers={"kid": "one"})
        return {"access_token": access, "token_type": "Bearer", "id_token": signed}

    def userinfo(self, access):
        person = self.tokens[access]
        return {**person, "sub": self.subject_of_userinfo or person["sub"]}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        path, _, query = self.path.partition("?")
        provider = self.server.provider
        if path == "/authorize":
            self.send_response(302)
            self.send_header("Location", provider.authorize(dict(parse_qsl(query))))
            self.end_headers()
        elif path == "/userinfo":
            self.answer(provider.userinfo(self.headers["Authorization"].removeprefix("Bearer ")))
        else:
            self.answer({"/.well-known/openid-configuration": provider.discovery, "/keys": provider.keys}[path]())

    def do_POST(self):
        given = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        self.answer(self.server.provider.token(given))

    def answer(self, value):
        body = json.dumps(value or {"error": "invalid_grant"}).encode()
        self.send_response(200 if value else 400)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        """Say nothing."""


@contextmanager
def oidc_provider():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.provider = Provider(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server.provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def visit(client, provider, address="/sign-in/directory/"):
    """Go from the studio to the provider and back; the answer of the studio to who comes back."""
    return client.get(provider.authorize_of(client.get(address).headers["Location"]))
