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
    asking.py        what browsers ask about, read with care: games, positions, moves, numbers
    drafts.py        positions set up by hand, complete or not
    subjects.py      what the analysis page is about, as its address says it
    studies.py       analyses under way; reasons.py says in words what they have found
    boards.py        boards and their squares on the pages beside the game
    contests.py      tournaments: a queue, in the background; booth.py is the process that plays
    gallery.py       pictures of search trees
    render.py        templates, fragments, addresses
    pages/           one file a page: functions from requests to responses, and their ROUTES
    templates/, static/

The server renders everything. `static/papan.js` asks for the same HTML with the header
`Papan-Fragment` and puts in place what has changed; without it forms and links do the same.
`static/workbench.js` does so for the pages beside the game.
"""
