"""A WebSocket client of a screen: enough to send text frames of any size and to read what comes."""

import base64
import json
import os
import socket
import struct


class WebSocket:
    def __init__(self, port, timeout=60, source="127.0.0.1"):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout, (source, 0))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.buffer, self.is_within = b"", False
        while b"\r\n\r\n" not in self.buffer:
            self.receive()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.decode("latin-1"))

    def receive(self):
        piece = self.socket.recv(1 << 16)
        if not piece:
            raise ConnectionError("the connection ended")
        self.buffer += piece

    def send(self, text):
        """One masked text frame; the mask is zeros, which leaves the bytes as they are."""
        self.send_piece(text if isinstance(text, bytes) else text.encode())

    def send_piece(self, data, announced=0, ends=True):
        """A frame that may be longer than what comes of it, or have others behind it."""
        size = max(len(data), announced)
        head = (b"\x81" if ends else b"\x01" if not self.is_within else b"\x00") + (
            bytes([0x80 | size]) if size < 126 else
            b"\xfe" + struct.pack(">H", size) if size < 1 << 16 else b"\xff" + struct.pack(">Q", size))
        self.is_within = not ends
        self.socket.sendall(head + b"\0\0\0\0" + data)

    def read(self):
        """The next message; pings and pongs are skipped. Ends with ConnectionError when the server closes."""
        while True:
            code, data = self.read_frame()
            if code == 8:
                raise ConnectionError(f"closed with {struct.unpack('>H', data[:2])[0] if data else 'nothing'}")
            if code in (0, 1, 2):
                return data

    def read_frame(self):
        code, size = self.take(2)
        size &= 0x7F
        if size == 126:
            size = struct.unpack(">H", self.take(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self.take(8))[0]
        return code & 0x0F, self.take(size)

    def take(self, size):
        while len(self.buffer) < size:
            self.receive()
        data, self.buffer = self.buffer[:size], self.buffer[size:]
        return data

    def ask(self, message):
        self.send(json.dumps(message))
        return json.loads(self.read())

    def close(self):
        self.socket.close()
