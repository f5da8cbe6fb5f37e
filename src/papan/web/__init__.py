"""The web page: play, watch, analyse and run tournaments in the browser.

    app           the composition root: routes, services, start and end; it alone imports features
    http/         what answers requests and knows no feature
      settings        the settings of a server
      security        checks that every request has to pass, its session, its rate; headers of
                      answers
      preferences     the looks and sounds that a browser wants
      request_params  services, games, positions, moves and numbers out of requests
      allowed         games and players that may be asked for over the web
      public          names of games and players that visitors may see
      render          templates, fragments, addresses
      refusals        errors with their HTTP status
      subscriptions   pages that are sent again when what they show has changed
      connections     limits of connections and of their time
    engines/      processes in which engines think
      engine_pool     the processes, behind a fair queue; engine_worker is their side of it
      analysis_jobs   searches under way: of a position, of each position of a game
      chances         values of searches as chances
    board/        boards and games as pages show them
      view            squares as buttons, marks, still boards
      clicks          what can be clicked, for pages without script
      snapshot        the same for the script, with what each move changes
      line            the game that an address carries
    play/ analysis/ puzzles/ tree/ records/ tournaments/ home/ api/
                  one folder a feature: `page` has functions from requests to responses and their
                  ROUTES; beside it the feature's state and templates
    static/       scripts and style sheets

Imports go one way: http ← engines ← board ← features ← app (`tests/test_imports.py`). A feature
gets from the running server what it needs by class: `service_of(request, LiveGames)`.

The server renders everything; without script forms and links do all there is to do. With it pages
ask for the same HTML with the header `Papan-Fragment`, and put in place what has changed:
`static/papan.js` has what all of them share; `static/board.js` draws boards and decides what can be
clicked, from the legal moves in the page's snapshot; `static/game.js` is a live game,
`static/workbench.js` the pages beside it.
"""
