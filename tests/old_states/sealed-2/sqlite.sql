BEGIN TRANSACTION;
CREATE TABLE access_tokens(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "access_tokens" VALUES('038e89acad1a','{"name":"038e89acad1a","hash":"038e89acad1aab990e40116f8ffdd4f762725f2e690574d81691a6d0e3cda794","principal":"noise","created_at":1796097590682,"expires_at":1803873590682,"created_by":"root"}',-859969511018838966);
INSERT INTO "access_tokens" VALUES('191ea434c843','{"name":"191ea434c843","hash":"191ea434c843c14c2d5054a02575f7a13931fe2bb0e7e74aae340845cda0247a","principal":"noise","created_at":1796097592634,"expires_at":1803873592634,"created_by":"root"}',5226073255238262795);
INSERT INTO "access_tokens" VALUES('20c80ba4e2d0','{"name":"20c80ba4e2d0","hash":"20c80ba4e2d0c4ac1bce930919d78141fd05872e00980ececed7849ac5b4ae29","principal":"ann","created_at":1796097590214,"expires_at":1803873590214,"created_by":"root","note":"of ann"}',3174013602104579494);
INSERT INTO "access_tokens" VALUES('2c5327fc3ba2','{"name":"2c5327fc3ba2","hash":"2c5327fc3ba2ff144244e135b765e2eed1ddd2276384f6ea06e3c90f2d288f26","principal":"noise","created_at":1796097595853,"expires_at":1803873595853,"created_by":"root"}',6026706394555025607);
INSERT INTO "access_tokens" VALUES('3fb2700c1e93','{"name":"3fb2700c1e93","hash":"3fb2700c1e93f16a4d218bd3aedfa7a19acc908b0aeda0bbf3a58fb2f83c0733","principal":"noise","created_at":1796097594636,"expires_at":1803873594636,"created_by":"root"}',7748941620952735988);
INSERT INTO "access_tokens" VALUES('72cf48fa4a4d','{"name":"72cf48fa4a4d","hash":"72cf48fa4a4d888c7b233a44e9f46391820c8e43b51454ab72b5132aa89a987f","principal":"noise","created_at":1796097593435,"expires_at":1803873593435,"created_by":"root"}',-588700361747615382);
INSERT INTO "access_tokens" VALUES('73aca0c18c62','{"name":"73aca0c18c62","hash":"73aca0c18c623ecce00e66caa599e57fe1911fb25affc132854a92024d4ce0f0","principal":"noise","created_at":1796097592246,"expires_at":1803873592246,"created_by":"root"}',-8060458656833067537);
INSERT INTO "access_tokens" VALUES('86b391457fdd','{"name":"86b391457fdd","hash":"86b391457fdd1e61af26d3cefa88cc8892f835018228cdb913ae2dc9b7a39693","principal":"robot","scopes":["viewer"],"created_at":1796097590122,"expires_at":1798689590122,"created_by":"root"}',-2192905232922821309);
INSERT INTO "access_tokens" VALUES('93ca5f076ddb','{"name":"93ca5f076ddb","hash":"93ca5f076ddb704416c9e00203b993d015c708221db2836dbd05cf69cbf42ddf","principal":"noise","created_at":1796097591854,"expires_at":1803873591854,"created_by":"root"}',-432969653315210296);
INSERT INTO "access_tokens" VALUES('a26081451783','{"name":"a26081451783","hash":"a26081451783d4e4488855e07f890d78bddbc84806007595d625189cf50a6a67","principal":"noise","created_at":1796097591462,"expires_at":1803873591462,"created_by":"root"}',-3170707706802654135);
INSERT INTO "access_tokens" VALUES('a58ab7c32816','{"name":"a58ab7c32816","hash":"a58ab7c32816930d48cee52a7773d3538a9ae34a606845c791b4e48996166b8f","principal":"noise","created_at":1796097591072,"expires_at":1803873591072,"created_by":"root"}',5743347557098788347);
INSERT INTO "access_tokens" VALUES('b069c3eee7d1','{"name":"b069c3eee7d1","hash":"b069c3eee7d1278863901b91d0f053f294ae7bb75edc3dab8ff123ce51991e35","principal":"noise","created_at":1796097596250,"expires_at":1803873596250,"created_by":"root"}',5454749302537707857);
INSERT INTO "access_tokens" VALUES('cba0c1f645cd','{"name":"cba0c1f645cd","hash":"cba0c1f645cd3e14b9da18ad955da1678da91ec743f170ad6d0ca8ace525981b","principal":"noise","created_at":1796097595039,"expires_at":1803873595039,"created_by":"root"}',3539080853515370529);
INSERT INTO "access_tokens" VALUES('d80d31e14e02','{"name":"d80d31e14e02","hash":"d80d31e14e02d42d19b0a5ff601dd6ca2b838aa8b507680f329f125bf5ed19b3","principal":"noise","created_at":1796097593854,"expires_at":1803873593854,"created_by":"root"}',-3664084975028322483);
INSERT INTO "access_tokens" VALUES('dcbb7ec11715','{"name":"dcbb7ec11715","hash":"dcbb7ec11715bb89bdd261b18ea68a36ec6e5702d2b80fac05449af592869920","principal":"noise","created_at":1796097595442,"expires_at":1803873595442,"created_by":"root"}',-957300857204696785);
INSERT INTO "access_tokens" VALUES('dec6c1254568','{"name":"dec6c1254568","hash":"dec6c1254568ffaab335ca55424b9ccd354965280adc172688f81c03c4d8444c","principal":"noise","created_at":1796097594254,"expires_at":1803873594254,"created_by":"root"}',-5847125951673398466);
INSERT INTO "access_tokens" VALUES('e55449f1a9b1','{"name":"e55449f1a9b1","hash":"e55449f1a9b1c4f2601f19eaf77191b5d4a37daf637f3512d732451cc23e62db","principal":"root","created_at":1796097589946,"created_by":"server"}',-1355765476590176726);
INSERT INTO "access_tokens" VALUES('f226d60fceaa','{"name":"f226d60fceaa","hash":"f226d60fceaab6dc4a932d0148d9f3595031a129211c26f35097ecde29dbe0c9","principal":"noise","created_at":1796097593026,"expires_at":1803873593026,"created_by":"root"}',5364790060489457588);
CREATE TABLE attempts(
  job INTEGER NOT NULL,
  number INTEGER NOT NULL,
  doc TEXT NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (job, number)
) WITHOUT ROWID;
CREATE TABLE bindings(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "bindings" VALUES('150d760568e3','{"name":"150d760568e3","role":"queue-user","grantee":{"kind":"principal","name":"ann"},"scope":{"kind":"queue","name":"default"},"created_by":"server","managed_by":"file"}',3154827803551171272);
INSERT INTO "bindings" VALUES('1ac13df907e6','{"name":"1ac13df907e6","role":"member","grantee":{"kind":"principal","name":"ann"},"scope":{"kind":"project","name":"vision"},"created_by":"server","managed_by":"file"}',-2451008396013069867);
INSERT INTO "bindings" VALUES('6b4b1f076d07','{"name":"6b4b1f076d07","role":"admin","grantee":{"kind":"principal","name":"root"},"scope":{"kind":"site"},"created_by":"server","managed_by":"api"}',3766447333656713800);
INSERT INTO "bindings" VALUES('a484ea7e0ee3','{"name":"a484ea7e0ee3","role":"watcher","grantee":{"kind":"group","name":"crew"},"scope":{"kind":"site"},"created_by":"root","managed_by":"api"}',-802030378166122388);
CREATE TABLE clusters(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "clusters" VALUES('lab','{"name":"lab","executor":"local","available":true,"managed_by":"file"}',-2770485714670660279);
CREATE TABLE erasures(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE events(
  seq INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  type TEXT NOT NULL,
  v INTEGER NOT NULL,
  job INTEGER,
  attempt INTEGER,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  payload TEXT NOT NULL,
  sum INTEGER NOT NULL
);
INSERT INTO "events" VALUES(1,1796097589900,'server.started',1,NULL,NULL,'server','took the state over as epoch 1796097589900','{"epoch":1796097589900,"version":"0.1.0"}',-1011962814576749302);
INSERT INTO "events" VALUES(74,1796097591974,'log.sealed',1,NULL,NULL,'server','sealed','{"from":67,"to":73,"leaves":"x58wvYnfjBtiJz3zOetoHJiem40wTxnYOTvskQ4YXJ5IpqwnSAv0C+d7SFHer1/t06mtv/2AGeKna+wWsW4EocNa9DqLKScmUvCjwyHWmQQF/xaPlPRlBLAXP7zL8qXZgRSwxPXLSAnfmqDPyVOZNg==","chain":"e04ac5b296622a8ac6f6b396300fc73b0dfa1f25b34354050590d7cf08cec868"}',-2094166667357975160);
INSERT INTO "events" VALUES(75,1796097592246,'token.set',1,NULL,NULL,'root','changed by root','{"token":{"name":"73aca0c18c62","hash":"73aca0c18c623ecce00e66caa599e57fe1911fb25affc132854a92024d4ce0f0","principal":"noise","created_at":1796097592246,"expires_at":1803873592246,"created_by":"root"}}',-4385026882910957001);
INSERT INTO "events" VALUES(76,1796097592246,'audit.request',1,NULL,NULL,'root','recorded','{"verb":"tokens.create","object":"principal:noise","outcome":"done","from":75,"count":1,"token":"e55449f1a9b1","source":"127.0.0.1","agent":"ym/0.1.0"}',2593891796434325988);
INSERT INTO "events" VALUES(77,1796097592634,'token.set',1,NULL,NULL,'root','changed by root','{"token":{"name":"191ea434c843","hash":"191ea434c843c14c2d5054a02575f7a13931fe2bb0e7e74aae340845cda0247a","principal":"noise","created_at":1796097592634,"expires_at":1803873592634,"created_by":"root"}}',-6689290002987198451);
INSERT INTO "events" VALUES(78,1796097592634,'audit.request',1,NULL,NULL,'root','recorded','{"verb":"tokens.create","object":"principal:noise","outcome":"done","from":77,"count":1,"token":"e55449f1a9b1","source":"127.0.0.1","agent":"ym/0.1.0"}',-4244669094165455210);
INSERT INTO "events" VALUES(79,1796097592998,'log.sealed',1,NULL,NULL,'server','sealed','{"from":74,"to":78,"leaves":"3GTXok+qygoB22E0A2ay0L+NWRiAAAr841rQisqeJJNZzEFBRRzpgXjnF8fHwEockA4iWt9VTZ/B8BxD1m/el5tCEOHQofSm9kh1HEW1MKk=","chain":"68dc833164d40dfb108708f131335d9c120bd3cd44f09c3ad77979bc0a2ba735"}',5347511861402943700);
INSERT INTO "events" VALUES(80,1796097593026,'token.set',1,NULL,NULL,'root','changed by root','{"token":{"name":"f226d60fceaa","hash":"f226d60fceaab6dc4a932d0148d9f3595031a129211c26f35097ecde29dbe0c9","principal":"noise","created_at":1796097593026,"expires_at":1803873593026,"created_by":"root"}}',6629240070992686308);
INSERT INTO "events" VALUES(81,1796097593026,'audit.request',1,NULL,NULL,'root','recorded','{"verb":"tokens.create","object":"principal:noise","outcome":"done","from":80,"count":1,"token":"e55449f1a9b1","source":"127.0.0.1","agent":"ym/0.1.0"}',-7388458155014366944);
INSERT INTO "events" VALUES(82,1796097593435,'token.set',1,NULL,NULL,'root','changed by root','{"token":{"name":"72cf48fa4a4d","hash":"72cf48fa4a4d888c7b233a44e9f46391820c8e43b51454ab72b5132aa89a987f","principal":"noise","created_at":1796097593435,"expires_at":1803873593435,"created_by":"root"}}',1508819864443093471);
INSERT INTO "events" VALUES(83,1796097593435,'audit.request',1,NULL,NULL,'root','recorded','{"verb":"tokens.create","object":"principal:noise","outcome":"done","from":82,"count":1,"token":"e55449f1a9b1","source":"127.0.0.1","agent":"ym/0.1.0"}',-410824183592239671);
INSERT INTO "events" VALUES(84,1796097593854,'token.set',1,NULL,NULL,'root','changed by root','{"token":{"name":"d80d31e14e02","hash":"d80d31e14e02d42d19b0a5ff601dd6ca2b838aa8b507680f329f125bf5ed19b3","principal":"noise","created_at":1796097593854,"expires_at":1803873593854,"created_by":"root"}}',2447118700527734779);
INSERT INTO "events" VALUES(85,1796097593854,'audit.request',1,NULL,NULL,'root','recorded','{"verb":"tokens.create","object":"principal:noise","outcome":"done","from":84,"count":1,"token":"e55449f1a9b1","source":"127.0.0.1","agent":"ym/0.1.0"}',-5248380893809016805);
INSERT INTO "events" VALUES(86,1796097594019,'log.sealed',1,NULL,NULL,'server','sealed','{"from":79,"to":85,"leaves":"yrYDBfs26Licu4HycMWzvGahaaJ/+V5dkzsQwX58GMrz6tOds7zW9s92jnFpXP4Mttf0I5XFGFiFu+E/NR5JlfXNDiMA9lt6iQlSEnzN3c4xffjquI3h/7lNKkarCUwYKLE1xQYRbdT1qU22c47yyg==","chain":"11dae9325aa24a0a23bdc2a20b4843044dc7cf63715cf52dd7b3861993847637"}',-6392545428720017003);
INSERT INTO "events" VALUES(87,1796097594254,'token.set',1,NULL,NULL,'root','changed by root','{"token":{"name":"dec6c1254568","hash":"dec6c1254568ffaab335ca55424b9ccd354965280adc172688f81c03c4d8444c","principal":"noise","created_at":1796097594254,"expires_at":1803873594254,"created_by":"root"}}',-2218161891892673316);
INSERT INTO "events" VALUES(88,1796097594254,'audit.request',1,NULL,NULL,'root','recorded','{"verb":"tokens.create","object":"principal:noise","outcome":"done","from":87,"count":1,"token":"e55449f1a9b1","source":"127.0.0.1","agent":"ym/0.1.0"}',8406693806539644793);
INSERT INTO "events" VALUES(89,1796097594636,'token.set',1,NULL,NULL,'root','changed by root','{"token":{"name":"3fb2700c1e93","hash":"3fb2700c1e93f16a4d218bd3aedfa7a19acc908b0aeda0bbf3a58fb2f83c0733","principal":"noise","created_at":1796097594636,"expires_at":1803873594636,"created_by":"root"}}',-3970362337247378093);
INSERT INTO "events" VALUES(90,1796097594636,'audit.request',1,NULL,NULL,'root','recorded','{"verb":"tokens.create","object":"principal:noise","outcome":"done","from":89,"count":1,"token":"e55449f1a9b1","source":"127.0.0.1","agent":"ym/0.1.0"}',3317483463602988185);
INSERT INTO "events" VALUES(91,1796097595039,'token.set',1,NULL,NULL,'root','changed by root','{"token":{"name":"cba0c1f645cd","hash":"cba0c1f645cd3e14b9da18ad955da1678da91ec743f170ad6d0ca8ace525981b","principal":"noise","created_at":1796097595039,"expires_at":1803873595039,"created_by":"root"}}',793437489578757189);
INSERT INTO "events" VALUES(92,1796097595039,'audit.request',1,NULL,NULL,'root','recorded','{"verb":"tokens.create","object":"principal:noise","outcome":"done","from":91,"count":1,"token":"e55449f1a9b1","source":"127.0.0.1","agent":"ym/0.1.0"}',-6986843687460908560);
INSERT INTO "events" VALUES(93,1796097595042,'log.sealed',1,NULL,NULL,'server','sealed','{"from":86,"to":90,"leaves":"pR0ZoVwZcDF5p5/9AJYIKz3vQGO762V9kWXyPAfH6Kv0OCXvwoDw+LVOtHLK0+QP+Xus2W1kg5J4EdmuLRUb9jHlyI0wFWvqoeVNZeRPkvQ=","chain":"c17576e7a5d18c40c4a614a3998b8133405139076be137043338ca27c7129127"}',4514425388403219214);
INSERT INTO "events" VALUES(94,1796097595442,'token.set',1,NULL,NULL,'root','changed by root','{"token":{"name":"dcbb7ec11715","hash":"dcbb7ec11715bb89bdd261b18ea68a36ec6e5702d2b80fac05449af592869920","principal":"noise","created_at":1796097595442,"expires_at":1803873595442,"created_by":"root"}}',-941305341702573448);
INSERT INTO "events" VALUES(95,1796097595442,'audit.request',1,NULL,NULL,'root','recorded','{"verb":"tokens.create","object":"principal:noise","outcome":"done","from":94,"count":1,"token":"e55449f1a9b1","source":"127.0.0.1","agent":"ym/0.1.0"}',4292088516704283077);
INSERT INTO "events" VALUES(96,1796097595853,'token.set',1,NULL,NULL,'root','changed by root','{"token":{"name":"2c5327fc3ba2","hash":"2c5327fc3ba2ff144244e135b765e2eed1ddd2276384f6ea06e3c90f2d288f26","principal":"noise","created_at":1796097595853,"expires_at":1803873595853,"created_by":"root"}}',5982396531519850148);
INSERT INTO "events" VALUES(97,1796097595853,'audit.request',1,NULL,NULL,'root','recorded','{"verb":"tokens.create","object":"principal:noise","outcome":"done","from":96,"count":1,"token":"e55449f1a9b1","source":"127.0.0.1","agent":"ym/0.1.0"}',2708026791308087213);
INSERT INTO "events" VALUES(98,1796097595994,'history_segment.set',1,NULL,NULL,'server','as configured','{"history_segment":{"name":"000000000001-000000000073-02cf8057.jsonl.gz","from":1,"to":73,"chain":"e04ac5b296622a8ac6f6b396300fc73b0dfa1f25b34354050590d7cf08cec868","seal":74,"jobs":3,"bytes":5334,"sha256":"02cf8057f9876b14824460fea930ed85f499a5c547d29acc3a48761ded81f970","first_at":1796097589900,"last_at":1796097591854}}',-6344883081627869361);
INSERT INTO "events" VALUES(99,1796097596060,'log.sealed',1,NULL,NULL,'server','sealed','{"from":91,"to":98,"leaves":"8vDhmjKsJpfImme9DPDxLwNNDkOlHukMFNXkZpDCr7kmGE+A562rArQciEtGL7vzB618cegw1py+q4ULrjmPUtWyV0bdy8fRVN4kpHfIz4dJSZ9cJ3Huh3zhPR3cP06rZCVjJjg0Kw4BhP0AH/WPiBBgJAYwshyUZj35NGbW6Ys=","chain":"e94e67b074af525a6a705be28a08a7fe90c76f3ff191dd4d0cbb0b1fcaeefb17"}',3265220296766542951);
INSERT INTO "events" VALUES(100,1796097596250,'token.set',1,NULL,NULL,'root','changed by root','{"token":{"name":"b069c3eee7d1","hash":"b069c3eee7d1278863901b91d0f053f294ae7bb75edc3dab8ff123ce51991e35","principal":"noise","created_at":1796097596250,"expires_at":1803873596250,"created_by":"root"}}',6160438990254738418);
INSERT INTO "events" VALUES(101,1796097596250,'audit.request',1,NULL,NULL,'root','recorded','{"verb":"tokens.create","object":"principal:noise","outcome":"done","from":100,"count":1,"token":"e55449f1a9b1","source":"127.0.0.1","agent":"ym/0.1.0"}',-681123377203787795);
INSERT INTO "events" VALUES(102,1796097596458,'job.submitted',1,4,NULL,'ann','submitted by ann','{"job":{"id":4,"spec_id":4,"name":"kept","project":"vision","owner":"ann","queue":"default","priority":50,"state":"QUEUED","pending":"PendingEvaluation","submitted_at":1796097596458,"waits_since":0,"arrived_at":0}}',-4423725356043647035);
INSERT INTO "events" VALUES(103,1796097596458,'audit.request',1,NULL,NULL,'ann','recorded','{"verb":"jobs.create","object":"project:vision","outcome":"done","from":102,"count":1,"token":"20c80ba4e2d0","source":"127.0.0.1","agent":"ym/0.1.0"}',5380063829778235787);
INSERT INTO "events" VALUES(104,1796097596486,'job.deferred',1,4,NULL,'scheduler','the job needs 9 nodes of one cluster; 5 are large enough, even when empty','{"job":4,"code":"ExceedsCapacity"}',-1980792253673524002);
INSERT INTO "events" VALUES(105,1796097597086,'log.sealed',1,NULL,NULL,'server','sealed','{"from":99,"to":104,"leaves":"Lf/xUt3U4L6IRnyY+iVeXT4T5bVyNZXh7sFIMZK309RC1Rq1sJZxzXmX6/dD0+E2ddExBFIad+pgdXwK7jbUWSzq9Kus5+lYNtoMUnpiXivGgXO/HGF8EJGc0WlOXIhN","chain":"29e6154dd7da7cd232c9861a58a060134ca4713b5fdb064c0848e5be143442b3"}',-8368246959173939796);
CREATE TABLE flavors(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE history_segments(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "history_segments" VALUES('000000000001-000000000073-02cf8057.jsonl.gz','{"name":"000000000001-000000000073-02cf8057.jsonl.gz","from":1,"to":73,"chain":"e04ac5b296622a8ac6f6b396300fc73b0dfa1f25b34354050590d7cf08cec868","seal":74,"jobs":3,"bytes":5334,"sha256":"02cf8057f9876b14824460fea930ed85f499a5c547d29acc3a48761ded81f970","first_at":1796097589900,"last_at":1796097591854}',5741161006288515582);
CREATE TABLE idempotency(
  principal TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  jobs TEXT NOT NULL,
  at INTEGER NOT NULL,
  sum INTEGER NOT NULL
);
INSERT INTO "idempotency" VALUES('ann','2b86afd3e9ab62f9281535db2f07ac14','6a6440e11a9a54e7d7d6654a7ee8adf810c8abfa7e1a56ca02f878d0e0a9ee98','[1]',1796097590314,2932219624631022652);
INSERT INTO "idempotency" VALUES('ann','a3a3ee10304635aa74aa58f0b7bfe378','cbf3780828d42d4dfe3cd8bd64f94b6ffcf921e4005d8499cc70f113736469ea','[2]',1796097590374,-193584048009880753);
INSERT INTO "idempotency" VALUES('ann','7b90a8f14ec75ed4b69b6bc28aa10552','bb1d2d0f583fbc2eb22f768a3756f2f92320bfc2bfaae491dfb1b572c5550a5d','[3]',1796097590434,540027606648682850);
INSERT INTO "idempotency" VALUES('ann','a59598f0ae2990b100b448007b15c1c7','a3a75a286a9e56104bea84b945a3bd791690c9f9b57c2884e532a1eb83567d63','[4]',1796097596458,-8172278405891717920);
CREATE TABLE jobs(
  id INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  queue TEXT NOT NULL,
  name TEXT NOT NULL,
  project TEXT NOT NULL,
  state TEXT NOT NULL,
  group_id INTEGER,
  submitted_at INTEGER NOT NULL,
  doc TEXT NOT NULL,
  sum INTEGER NOT NULL
);
INSERT INTO "jobs" VALUES(4,'ann','default','kept','vision','QUEUED',NULL,1796097596458,'{"id":4,"spec_id":4,"name":"kept","project":"vision","owner":"ann","queue":"default","priority":50,"state":"QUEUED","pending":"ExceedsCapacity","submitted_at":1796097596458,"waits_since":1796097596458,"arrived_at":1796097596458}',-4493907784794469863);
CREATE TABLE meta(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last_seq INTEGER NOT NULL,
  last_id INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  last_time INTEGER NOT NULL,
  unfinished INTEGER NOT NULL,
  documents INTEGER,
  sum INTEGER NOT NULL
);
INSERT INTO "meta" VALUES(1,105,4,1796097589900,1796097597086,1,2,-8795279442920495663);
CREATE TABLE nodes(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "nodes" VALUES('n1','{"name":"n1","cluster":"lab","gpu_type":"t4","devices":[{"id":"0","healthy":true,"physical":""},{"id":"1","healthy":true,"physical":""},{"id":"2","healthy":true,"physical":""},{"id":"3","healthy":true,"physical":""}],"cpus":16000,"memory":68719476736,"labels":{},"schedulable":true,"message":""}',999277759049050695);
INSERT INTO "nodes" VALUES('n2','{"name":"n2","cluster":"lab","gpu_type":"t4","devices":[{"id":"0","healthy":true,"physical":""},{"id":"1","healthy":true,"physical":""},{"id":"2","healthy":true,"physical":""},{"id":"3","healthy":true,"physical":""}],"cpus":16000,"memory":68719476736,"labels":{},"schedulable":true,"message":""}',3596625328587463901);
INSERT INTO "nodes" VALUES('n3','{"name":"n3","cluster":"lab","gpu_type":"t4","devices":[{"id":"0","healthy":true,"physical":""},{"id":"1","healthy":true,"physical":""},{"id":"2","healthy":true,"physical":""},{"id":"3","healthy":true,"physical":""}],"cpus":16000,"memory":68719476736,"labels":{},"schedulable":true,"message":""}',8447554697259185643);
INSERT INTO "nodes" VALUES('n4','{"name":"n4","cluster":"lab","gpu_type":"t4","devices":[{"id":"0","healthy":true,"physical":""},{"id":"1","healthy":true,"physical":""},{"id":"2","healthy":true,"physical":""},{"id":"3","healthy":true,"physical":""}],"cpus":16000,"memory":68719476736,"labels":{},"schedulable":true,"message":""}',5544689755313735661);
INSERT INTO "nodes" VALUES('n5','{"name":"n5","cluster":"lab","gpu_type":"t4","devices":[{"id":"0","healthy":true,"physical":""},{"id":"1","healthy":true,"physical":""},{"id":"2","healthy":true,"physical":""},{"id":"3","healthy":true,"physical":""}],"cpus":16000,"memory":68719476736,"labels":{},"schedulable":true,"message":""}',6105325363483880959);
CREATE TABLE policies(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE principals(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "principals" VALUES('ann','{"name":"ann","kind":"user","handle":"ann","groups":["crew"],"created_at":1796097589900,"created_by":"server"}',1352669002619986893);
INSERT INTO "principals" VALUES('noise','{"name":"noise","kind":"user","handle":"noise","created_at":1796097590682,"created_by":"root"}',-752578087514189905);
INSERT INTO "principals" VALUES('robot','{"name":"robot","kind":"service","handle":"robot","created_at":1796097590122,"created_by":"root"}',7678304944976360601);
INSERT INTO "principals" VALUES('root','{"name":"root","kind":"user","handle":"root","created_at":1796097589946,"created_by":"server"}',-5773007637300629654);
CREATE TABLE projects(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "projects" VALUES('vision','{"name":"vision","visibility":"private","managed_by":"file"}',-5250231593696445397);
CREATE TABLE provisioned_groups(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE queues(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "queues" VALUES('default','{"name":"default","order":"fifo","reservations":1,"weight_milli":1000,"when_can_preempt":"try-next","preempt":"lower-priority","reclaim":"any","min_runtime":{"priority_ms":0,"reclaim_ms":0},"fence":false,"parent":"","accepts_jobs":true,"managed_by":"api"}',-1278017456865539225);
CREATE TABLE reservations(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE roles(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "roles" VALUES('watcher','{"name":"watcher","permissions":["jobs.list"]}',5505264353627216594);
CREATE TABLE specs(id INTEGER PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL);
INSERT INTO "specs" VALUES(4,'{"name":"kept","run":{"form":"argv","words":["true"]},"workdir":"/tmp/ym-old-state-6ru1fpfm","workdir_left_out":true,"project":"vision","queue":"default","priority":50,"launcher":"none","retry":{"infra_max":3,"error_max":0,"preempted_max":-1,"backoff_ms":5000,"backoff_max_ms":600000},"stop":{"preemptible":true,"signal":"SIGTERM","grace_ms":30000,"min_runtime_ms":0},"nodes":9,"resources":{"cpus":1000,"memory":0,"gpus":0}}',-2908410521701956898);
CREATE TABLE spending(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE tokens(
  hash TEXT PRIMARY KEY,
  principal TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  sum INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE usage(name TEXT PRIMARY KEY, doc TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "usage" VALUES('default/ann','{"name":"default/ann","queue":"default","user":"ann","sampled_at":1796097540000,"flavors":[{"flavor":"default","decayed":{},"entered":{"cpus":3000}}]}',-2998703681083232496);
CREATE INDEX jobs_by_group ON jobs(group_id, id) WHERE group_id IS NOT NULL;
CREATE INDEX events_by_job ON events(job, seq) WHERE job IS NOT NULL;
CREATE INDEX jobs_unfinished ON jobs(id) WHERE
  state='HELD' OR state='QUEUED' OR state='STARTING' OR state='RUNNING' OR state='STOPPING' OR state='UNREACHABLE';
CREATE INDEX ended_by_owner ON jobs(owner, id) WHERE
  state='SUCCEEDED' OR state='FAILED' OR state='CANCELLED' OR state='TIMED_OUT';
CREATE INDEX ended_by_queue ON jobs(queue, id) WHERE
  state='SUCCEEDED' OR state='FAILED' OR state='CANCELLED' OR state='TIMED_OUT';
CREATE INDEX ended_by_name ON jobs(name, id) WHERE
  state='SUCCEEDED' OR state='FAILED' OR state='CANCELLED' OR state='TIMED_OUT';
CREATE INDEX ended_by_project ON jobs(project, id) WHERE
  state='SUCCEEDED' OR state='FAILED' OR state='CANCELLED' OR state='TIMED_OUT';
CREATE INDEX ended_by_state ON jobs(state, id) WHERE
  state='SUCCEEDED' OR state='FAILED' OR state='CANCELLED' OR state='TIMED_OUT';
COMMIT;
PRAGMA user_version=6;
