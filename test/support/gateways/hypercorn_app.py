"""A service for tests. It writes one line of JSON for each call that reaches it, and echoes what a WebSocket receives."""
import json


async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        return
    fields = [[name.decode("latin1"), value.decode("latin1")] for name, value in scope["headers"]]
    arrived = {"type": scope["type"], "version": scope["http_version"], "path": scope["path"], "headers": fields}
    print(json.dumps(arrived), flush=True)
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (event := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": f"echo {event['text']}"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": json.dumps(arrived).encode()})
