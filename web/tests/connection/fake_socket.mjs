// A websocket that keeps what is sent, and receives what the test wants.

export class FakeSocket {
  static OPEN = 1;
  static made = [];
  readyState = 1;
  sent = [];

  constructor() {
    FakeSocket.made.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  answer(update) {
    this.onmessage({ data: JSON.stringify(update) });
  }
}

export function installFakeSocket() {
  globalThis.WebSocket = FakeSocket;
}
