"""UGI, the Universal Game Interface: messages, server, client, and limits of programs."""
