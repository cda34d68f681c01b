// The event stream (api.md section 4): one connection per browser, however many pages are open.
//
// Browsers allow six HTTP/1.1 connections to a host, over all tabs: six open pages with a stream each would
// leave none for anything else. So the pages elect one by a lock; it listens and passes on what it hears.

import { at, base } from "./base.js";

const name = `opentask-stream ${base.pathname}`;
const longestPause_ms = 30_000;

/** Listens for ever. `onDown` gets true when the server has closed the stream (signed out, restarting). */
function listen({ onEvent, onUp, onDown }) {
  let pause_ms = 1000;
  const open = () => {
    const source = new EventSource(at("api/sync/stream"));
    source.onopen = () => {
      pause_ms = 1000;
      onUp();
    };
    source.onmessage = (message) => onEvent(JSON.parse(message.data));
    source.onerror = () => {
      // The browser reconnects by itself, with Last-Event-ID, unless the server answered with an error.
      const closed = source.readyState === EventSource.CLOSED;
      onDown(closed);
      if (!closed) return;
      setTimeout(open, pause_ms);
      pause_ms = Math.min(pause_ms * 2, longestPause_ms);
    };
  };
  open();
}

/**
 * Calls `onEvent` with each event, and `onState` with whether the stream stands.
 * `onState(false, true)` asks for a look at the session: the stream was refused.
 */
export function follow({ onEvent, onState }) {
  // Without a secure context (http in a home network) there are no locks: then each page listens itself.
  if (!navigator.locks) {
    listen({ onEvent, onUp: () => onState(true), onDown: (closed) => onState(false, closed) });
    return;
  }

  const channel = new BroadcastChannel(name);
  const receive = (note) => (note.event ? onEvent(note.event) : onState(note.up, note.closed));
  channel.onmessage = ({ data }) => {
    if (data.event || "up" in data) receive(data);
  };
  channel.postMessage({ asks: true });

  navigator.locks.request(name, () => {
    let state = { up: false };
    const tell = (note) => {
      channel.postMessage(note);
      receive(note);
    };
    channel.onmessage = ({ data }) => {
      if (data.asks) channel.postMessage(state);
    };
    listen({
      onEvent: (event) => tell({ event }),
      onUp: () => tell((state = { up: true })),
      onDown: (closed) => tell((state = { up: false, closed })),
    });
    // Held until this page goes away; then the next page in line gets the lock and listens.
    return new Promise(() => {});
  });
}
