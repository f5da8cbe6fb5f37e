"""The pages: play, watch, analyse and run tournaments in the browser.

    app           composition root: routes, services, start and end; only app imports features
    http/         requests and responses, without features
      settings        settings of a server
      security        checks of every request, sessions, rate limits, headers
      preferences     looks and sounds of a browser
      request_params  services, games, positions, moves and numbers of requests
      allowed         games and players that browsers may request
      public          public names of games and players
      render          templates, fragments, addresses
      refusals        errors with their HTTP status
      subscriptions   pages that are sent again after changes
      connections     limits of connections and their times
    engines/      engine processes
      engine_pool     the processes with a fair queue; engine_worker is their side
      analysis_jobs   running analyses of positions and games
      chances         values of searches as winning chances
    board/        boards and games on pages
      view            squares as buttons, marks, still boards
      clicks          clickable places, for pages without script
      snapshot        the same for the script, with the changes of each move
      line            the game in an address
    play/ analysis/ puzzles/ tree/ records/ tournaments/ home/ api/
                  one folder for each feature: `page` has the handlers and their ROUTES, next to
                  the feature's state and templates
    static/       scripts and style sheets

Imports go one way: http ← engines ← board ← features ← app (`tests/test_imports.py`). A feature
gets services of the running server by class: `service_of(request, LiveGames)`.

The server renders everything, and all actions work with forms and links. The script requests the
same HTML with the header `Papan-Fragment` and replaces the changed parts: `static/papan.js` has the
common functions; `static/board.js` draws boards and decides what can be clicked, from the legal
moves in the page's snapshot; `static/game.js` is a live game, `static/workbench.js` the other
pages.
"""
