// The OpenID provider that end-to-end tests log in at: node provider.js CONFIG.json [FOLDER with node_modules]
//
// CONFIG.json: port, issuer (http://127.0.0.1:PORT), clients (as the library takes them), users by name, keys_file (its
// private JSON Web Key Set, made where it is missing), and if wanted: state_file (sessions and refresh tokens outlive a
// restart), pkce (false: not required), refresh ("always": refresh tokens without offline_access), ttl (seconds by kind
// of token), claims (names of more claims that the scope profile has), features (as the library takes them).
//
// A user: sub (its name if missing), email, name, groups; disabled (it cannot log in); overage (it gets, in place of
// groups, the address of a directory that has them, as Entra does for users with many). Users are read again at each
// use.
//
// POST /test/keys: new signing keys, without a restart. The body is a private JSON Web Key Set; or {"keep": true}: the
// old ones are published still; or empty. SIGHUP: keys_file is read again.

import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as http from 'node:http';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [, program, configFile, modules] = process.argv;
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const require = createRequire(path.join(modules ?? path.join(root, 'build/openid'), 'package.json'));
const { Provider, interactionPolicy } = await import(pathToFileURL(require.resolve('oidc-provider')));

if (!configFile) {
  console.error(`usage: node ${program} CONFIG.json [FOLDER with node_modules]`);
  process.exit(2);
}

const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
const config = readJson(configFile);

function writeJson(file, value) {
  fs.writeFileSync(`${file}.new`, JSON.stringify(value, null, 1), { mode: 0o600 });
  fs.renameSync(`${file}.new`, file);
}

// --- users
const users = () => Object.entries(readJson(configFile).users)
  .map(([name, user]) => ({ sub: name, ...user, preferred_username: name }));
const mayLogIn = (user) => user !== undefined && !user.disabled;

const DIRECTORY = {
  _claim_names: { groups: 'src1' },
  _claim_sources: { src1: { endpoint: 'https://graph.example/v1.0/users/1/getMemberObjects' } },
};

function claimsOf({ disabled, overage, groups, ...claims }) {
  return { ...claims, ...(overage ? DIRECTORY : { groups }) };
}

function findAccount(context, sub) {
  const user = users().find((one) => one.sub === sub);
  return mayLogIn(user) ? { accountId: sub, claims: () => claimsOf(user) } : undefined;
}

// --- what it remembers, whatever its keys
const memory = new Map(config.state_file && fs.existsSync(config.state_file) ? readJson(config.state_file) : []);
const OF_GRANTS = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken', 'DeviceCode']);

class Memory {
  constructor(model) {
    this.model = model;
  }

  key(id) {
    return `${this.model}:${id}`;
  }

  async upsert(id, payload, seconds) {
    memory.set(this.key(id), { payload, expires: seconds ? Date.now() + seconds * 1000 : null });
  }

  async find(id) {
    const found = memory.get(this.key(id));
    if (found && found.expires !== null && found.expires <= Date.now()) {
      memory.delete(this.key(id));
      return undefined;
    }
    return found?.payload;
  }

  async findBy(property, value) {
    const prefix = `${this.model}:`;
    const found = [...memory].find(([key, { payload }]) => key.startsWith(prefix) && payload[property] === value);
    return found && this.find(found[0].slice(prefix.length));
  }

  async findByUid(uid) {
    return this.findBy('uid', uid);
  }

  async findByUserCode(code) {
    return this.findBy('userCode', code);
  }

  async consume(id) {
    memory.get(this.key(id)).payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id) {
    memory.delete(this.key(id));
  }

  async revokeByGrantId(grant) {
    for (const [key, { payload }] of memory) {
      if (OF_GRANTS.has(key.split(':')[0]) && payload.grantId === grant) memory.delete(key);
    }
  }
}

// --- keys
function newKeys() {
  const make = (alg, ...kind) => ({
    alg,
    use: 'sig',
    kid: crypto.randomBytes(8).toString('hex'),
    ...crypto.generateKeyPairSync(...kind).privateKey.export({ format: 'jwk' }),
  });
  return [make('RS256', 'rsa', { modulusLength: 2048 }), make('ES256', 'ec', { namedCurve: 'P-256' })];
}

// --- the provider
const policy = interactionPolicy.base();
policy.get('login').checks.add(new interactionPolicy.Check('account_gone', 'the account does not exist any more',
  ({ oidc }) => oidc.session.accountId !== undefined && !oidc.account));

const issueRefreshToken = (context, client, code) => client.grantTypeAllowed('refresh_token')
  && (config.refresh === 'always' || code.scopes.has('offline_access'));

function makeProvider(jwks) {
  const [hour, day] = [3600, 86400];
  const ttl = { AccessToken: hour, IdToken: hour, RefreshToken: day, Session: day, Grant: day, Interaction: hour };
  return new Provider(config.issuer, {
    adapter: Memory,
    clients: config.clients,
    jwks,
    findAccount,
    issueRefreshToken,
    interactions: { policy },
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username', 'groups', ...(config.claims ?? [])],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    conformIdTokenClaims: false,
    cookies: { keys: ['the tests sign their cookies with it'] },
    features: {
      devInteractions: { enabled: true },
      revocation: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      userinfo: { enabled: true },
      ...config.features,
    },
    pkce: { required: () => config.pkce !== false },
    scopes: ['openid', 'offline_access', 'profile', 'email', 'groups'],
    ttl: { ...ttl, ...config.ttl },
  });
}

let keys;
let handle;

function use(jwks) {
  const provider = makeProvider(jwks);
  provider.on('server_error', (context, error) => console.error(error));
  keys = jwks;
  handle = provider.callback();
}

use(fs.existsSync(config.keys_file) ? readJson(config.keys_file) : { keys: newKeys() });
writeJson(config.keys_file, keys);

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

function answer(response, status, type, text) {
  response.writeHead(status, { 'Content-Type': type });
  response.end(text);
}

async function changeKeys(request, response) {
  const wanted = JSON.parse((await bodyOf(request)) || '{}');
  use({ keys: wanted.keys ?? [...newKeys(), ...(wanted.keep ? keys.keys : [])] });
  writeJson(config.keys_file, keys);
  answer(response, 200, 'application/json', JSON.stringify({ kids: keys.keys.map(({ kid }) => kid) }));
}

const REFUSED = '<!DOCTYPE html><title>Refused</title><p>This user is unknown or disabled.</p>';

// The library's page for developers takes any name; here it has to be a user that may log in.
async function submit(request, response) {
  request.body = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
  if (request.body.prompt === 'login') {
    const user = users().find((one) => one.preferred_username === request.body.login);
    if (!mayLogIn(user)) {
      answer(response, 403, 'text/html', REFUSED);
      return;
    }
    request.body.login = user.sub;
  }
  handle(request, response);
}

const server = http.createServer(async (request, response) => {
  try {
    const { pathname } = new URL(request.url, config.issuer);
    if (request.method === 'POST' && pathname === '/test/keys') await changeKeys(request, response);
    else if (request.method === 'POST' && pathname.startsWith('/interaction/')) await submit(request, response);
    else handle(request, response);
  } catch (error) {
    console.error(error);
    answer(response, 500, 'text/plain', `${error}\n`);
  }
});

process.on('SIGHUP', () => use(readJson(config.keys_file)));
process.on('SIGTERM', () => {
  if (config.state_file) writeJson(config.state_file, [...memory]);
  process.exit(0);
});
server.listen(config.port, '127.0.0.1', () => console.log('ready'));
