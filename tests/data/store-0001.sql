BEGIN TRANSACTION;
CREATE TABLE papan_games (
	number INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	game TEXT NOT NULL, 
	x TEXT NOT NULL, 
	o TEXT NOT NULL, 
	moves TEXT NOT NULL, 
	result TEXT NOT NULL, 
	termination TEXT NOT NULL, 
	start TEXT NOT NULL, 
	detail TEXT NOT NULL, 
	seconds TEXT NOT NULL, 
	seed TEXT NOT NULL, 
	event TEXT NOT NULL, 
	round BIGINT NOT NULL, 
	played TEXT NOT NULL, 
	PRIMARY KEY (number)
);
INSERT INTO "papan_games" VALUES(1,'0000000000000001','adjacency:rounds=4','random','random','c7 b3 f1 c1 e8 g6 d7 h4','o','rules','','','0.25 0.125','1','a first cup',1,'2025-11-01T12:00:00+00:00');
INSERT INTO "papan_games" VALUES(2,'0000000000000002','platforms:size=4,level=2','random','random','b4 c2 a4 b1 b4 c2 b3 b1 a3 a2 b3 b2 a2 a1 b2','x','rules','','','0.25 0.125','2','a first cup',2,'2025-11-02T12:00:00+00:00');
INSERT INTO "papan_games" VALUES(3,'0000000000000003','corners','random','random','g3e3 b6b5 g2e4 c8d8 h2h4 b5b4 g1e1 b8c8 e4e5 b4b3 h1h2 a7a5 f3d3 b7b6 e1d1 b3b2 h2g2 d8d7 e3c3 c7c5 f1f3 a5b5 e5e6 c8d8 c3b3 b2b1 e6d6 d7d5 d6d7 b6b4 d1c1 d5e5 g2e2 e5f5 f2f4 b1d1 f4e4 f5g5 h4h5 a8b8 e4d4 d1e1 d3d5 a6b6 h3g3 c6c4 c1c2 b4d2 c2b2 b6c6 b2b6 g5g4 g3g5 c4c3 b3a3 e1f1 e2c4 c3d3 d5d6 g4h4 a3a4 b8c8 g5f5 b5b4 h5h6 b4b3 d4d5 c6e6 d5b7 c5g3 b6a6 c8c7 b7a7 d2d1 c4b4 f1g1 d7b7 e6e5 f3f4 d8d7 h6g6 g1h1 a6a8 c7e7 g6f6 h4h3 f5d5 d1e1 d6d8 d7f7 f4e4 d3d2 d8c8 b3c3 e4e6 c3d3 a4a5 e5e4 d5c5 f7g7 c8b8 g7g6 e6e8 e7e6 f6f7 g3g2 e8d8 g6g5 b4b5 e4f4 b5b6 f4g4 f7f8 e6e5 b6a6 h3h2 c5c6 g5h5 c6b6 d3d1 f8e8 e1f1 e8c8 f1g1 c8c7 g4g3 c7c8 g3h3 b7c7 h5h4 b6b7 d2e2 c7c6 d1e1 c6b6 e5f5 b6b5 e2f2 b5b6 e1f1 b7c7 f5g5 b6b7 g5g4 c7c6 g4g3 c6b6 f2e2 c8c7 e2f2 d8c8 f2f3 c7c6 f3f2 c6c7 f1e1 b6b5 e1f1 b5b6','draw','rules','','','0.25 0.125','3','a first cup',3,'2025-11-03T12:00:00+00:00');
INSERT INTO "papan_games" VALUES(4,'0000000000000004','platforms','Ny. "Sri" \u005c','budi','b2','o','time','','too late','','100000000000000000000','',0,'');
INSERT INTO "papan_games" VALUES(5,'0000000000000005','platforms','ada','budi','c2','*','unterminated','011/101/110 o b2 c1','','','0','',0,'');
CREATE TABLE papan_schema (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT papan_schema_pkc PRIMARY KEY (version_num)
);
INSERT INTO "papan_schema" VALUES('0001');
CREATE UNIQUE INDEX papan_games_id ON papan_games (id);
CREATE UNIQUE INDEX papan_games_round ON papan_games (event, round) WHERE event != '' AND round > 0;
COMMIT;
