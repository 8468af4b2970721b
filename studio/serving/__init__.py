"""The web process between its HTTP server (ASGI) and Django (WSGI): no slow client holds a thread."""
