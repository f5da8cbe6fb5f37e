"""The web page: play, watch, analyse and run tournaments in the browser.

Where things are:

    settings.py      what the person who starts the server decides
    app.py           the application: routes, middleware, start and end
    security.py      what every request has to pass: host, origin, size, rate; headers of answers
    sessions.py      who a browser is: a signed cookie
    preferences.py   how a browser wants things to look and sound: a cookie of its own
    choices.py       games and players that may be asked for over the web
    rooms.py         a live game: seats, clock, moves, undo, offers; pure, without HTTP
    lobby.py         all live games: found, saved, pushed, and their bots' turns
    persistence.py   live games in the database
    thinking.py      the pool of processes in which engines think; worker.py is their side of it
    push.py          who looks at which game, and what they are sent
    view.py          a game as its page shows it
    render.py        templates, fragments, addresses
    pages/           one file a page: functions from requests to responses, and their ROUTES
    templates/, static/

The server renders everything. `static/papan.js` asks for the same HTML with the header
`Papan-Fragment` and puts in place what has changed; without it forms and links do the same.
"""
