"""The web page: play, watch, analyse and run tournaments in the browser.

    server/       the application, its settings, and all that several pages need
      app             routes, middleware, start and end
      app_state       the settings of a server, and its running parts
      security        checks that every request has to pass, its session, its rate; headers of
                      answers
      preferences     the looks and sounds that a browser wants
      request_params  games, positions, moves and numbers out of addresses and forms
      allowed         games and players that may be asked for over the web
      render          templates, fragments, addresses
    live/         games under way
      live_game       a game: seats, clock, moves, undo, offers; pure, without HTTP
      live_games      all of them: found, saved, pushed, and their programs' turns
      live_store      live games in the database
      subscriptions   pages that are sent again when what they show has changed
    workers/      other processes
      engine_pool     the processes in which engines think; engine_worker is their side of it
      tournament_worker   the process in which the games of tournaments are played
    game/ analysis/ tournaments/ records/ tree/ home/ api/
                  one folder a feature: `page` has functions from requests to responses and their
                  ROUTES; beside it the feature's state and templates. game/view has boards and
                  lists of moves for all of them, game/game_view a live game as one browser
                  sees it, game/snapshot what the script needs of it to answer at once
    static/       scripts and style sheets

The server renders everything; without script forms and links do all there is to do. With it pages
ask for the same HTML with the header `Papan-Fragment`, and put in place what has changed:
`static/papan.js` has what all of them share, `static/board.js` what moves on boards,
`static/game.js` a live game, where the script draws the board itself, `static/workbench.js` the
pages beside it.
"""
