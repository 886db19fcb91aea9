import {expect, test} from 'vitest';
import {buildChildEnvironment} from '../../source/session/child-environment.ts';
import type {Session} from '../../source/session/session.ts';
import {readVariables} from '../../source/settings/variables.ts';
import {folderWith} from '../settings/support/files.ts';

const credentials = {
	CLOUDFLARE_API_TOKEN: 's1',
	CF_API_TOKEN: 's2',
	CLOUDFLARE_API_KEY: 's3',
	CF_API_KEY: 's4',
	CLOUDFLARE_EMAIL: 's5',
	CF_EMAIL: 's6',
	LEDGE_FROM_CLOUDFLARE_API_TOKEN: 's7',
	LEDGE_TO_CLOUDFLARE_API_KEY: 's8',
	CLOUDFLARE_API_USER_SERVICE_KEY: 's9',
	LEDGE_CREDENTIAL_COMMAND: 'op read s10',
	PROD_SECRET_NAME: 's11',
};

const others = {
	PATH: '/usr/bin:.:bin::/bin',
	HOME: '/home/me',
	CLOUDFLARE_ACCOUNT_ID: 'a',
	EDITOR: 'vi',
};

const createSession = (options: Partial<Session> = {}): Session => {
	const env = {...credentials, ...others};
	return {
		env,
		variables: readVariables(env),
		simulated: false,
		isReadOnly: () => false,
		contexts: {
			contextsFile: {all: [{name: 'prod', tokenVariable: 'PROD_SECRET_NAME'}]},
			active: {name: 'prod'},
		},
		...options,
	} as unknown as Session;
};

test('a program gets no credential, and no folder in PATH that depends on the working folder', () => {
	const environment = buildChildEnvironment(createSession(), []);
	expect(environment).toEqual({...others, PATH: '/usr/bin:/bin', LEDGE_CONTEXT: 'prod'});
	expect(JSON.stringify(environment)).not.toMatch(/s\d/);
});

test('it gets those that its entry names', () => {
	const names = ['CLOUDFLARE_API_TOKEN', 'PROD_SECRET_NAME', 'NOT_SET'];
	expect(buildChildEnvironment(createSession(), names)).toEqual({
		...others,
		PATH: '/usr/bin:/bin',
		LEDGE_CONTEXT: 'prod',
		CLOUDFLARE_API_TOKEN: 's1',
		PROD_SECRET_NAME: 's11',
	});
});

test('it gets a named variable of --env-file, and no other', () => {
	const cwd = folderWith({'.vars': 'A=1\nCLOUDFLARE_API_TOKEN=file\n'});
	const variables = readVariables({}, ['.vars'], cwd);
	const environment = buildChildEnvironment(createSession({env: {}, variables}), ['CLOUDFLARE_API_TOKEN']);
	expect(environment).toEqual({LEDGE_CONTEXT: 'prod', CLOUDFLARE_API_TOKEN: 'file'});
});

test.each([
	{simulated: true},
	{isReadOnly: () => true},
])('a ledge that it starts writes nothing if this one does not: %j', options => {
	expect(buildChildEnvironment(createSession(options), []).LEDGE_READ_ONLY).toBe('1');
});
