"""What people prove beside their password: a code of an app (TOTP, RFC 6238), or a recovery code.

Who comes from the directory has proven there what it asks for, and is asked for no code.
"""
