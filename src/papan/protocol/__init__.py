"""UGI, the Universal Game Interface: messages, the server, the client and what guards it."""
