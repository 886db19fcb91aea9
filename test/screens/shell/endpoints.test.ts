import {describe, expect, test} from 'vitest';
import {createTestStore, type TestStore} from '../support/store.ts';

const shop = {
	id: '6e23b63489e7241c0d871b10a397cebb',
	name: 'acme-shop.example',
	plan: 'pro',
	label: 'zone acme-shop.example',
} as const;

const page = (status: number) =>
	new Response('<html><title>Attention Required!</title></html>', {
		status,
		headers: {'content-type': 'text/html'},
	});
const refused = (status: number, ...errors: object[]) =>
	Response.json({success: false, errors, messages: [], result: null}, {status});

const kinds: Readonly<Record<string, {readonly answer: () => Response; readonly code: string}>> = {
	'a 403 of a page': {answer: () => page(403), code: 'blocked'},
	'a 403 without errors': {answer: () => refused(403), code: 'refused_by_service'},
	'a 401': {
		answer: () => refused(401, {code: 10_000, message: 'Authentication error'}),
		code: 'credential_refused',
	},
	'a 404 of the address': {answer: () => refused(404, {code: 7003, message: 'no route'}), code: 'not_found'},
	'a 410': {answer: () => refused(410, {code: 1, message: 'retired'}), code: 'gone'},
	'a 429': {answer: () => new Response('slow down', {status: 429}), code: 'rate_limited'},
	'a 503': {answer: () => page(503), code: 'service_failed'},
	'no body': {answer: () => new Response(null), code: 'answer_malformed'},
	'a page': {answer: () => page(200), code: 'answer_malformed'},
	'another JSON': {answer: () => Response.json({ok: true}), code: 'answer_malformed'},
	'a result of null': {
		answer: () => Response.json({success: true, errors: [], messages: [], result: null}),
		code: 'answer_malformed',
	},
};

type Screen = {
	readonly name: string;
	readonly path: RegExp;
	/** Comes to where the reading is made. */
	readonly before?: (space: TestStore) => Promise<void>;
	readonly reads: (space: TestStore, signal: AbortSignal) => Promise<void>;
	/** What would be a fact about what was asked for: empty after a reading that failed. */
	readonly shown: (space: TestStore) => unknown;
	readonly unchanged?: readonly string[];
};

const screens: readonly Screen[] = [
	{
		name: 'namespaces',
		path: /\/namespaces$/,
		reads: ({state}, signal) => state().namespaces.load('remote', signal),
		shown: ({state}) => state().namespaces.data.rows.length,
	},
	{
		name: 'a key',
		path: /\/metadata\//,
		before: space => space.openNamespace('CONFIG'),
		reads: ({state}, signal) => state().key.open('features', signal),
		shown: ({state}) => state().key.data?.reading === 'failed' || state().key.data === undefined,
		// No metadata is an answer.
		unchanged: ['a result of null'],
	},
	{
		name: 'zones',
		path: /\/zones$/,
		reads: ({state}, signal) => state().zones.load(signal),
		shown: ({state}) => state().zones.data.rows.length,
	},
	{
		name: 'rules of a zone',
		path: /\/firewall\/rules$/,
		before: async ({state}) => state().firewall.open(shop),
		reads: ({state}, signal) => state().firewall.load(signal),
		shown: ({state}) => state().firewall.data?.rules.length,
		// That a zone has no firewall rules is an answer: its custom rules are shown.
		unchanged: ['a 410'],
	},
	{
		name: 'filters of a zone',
		path: /\/filters$/,
		before: async ({state}) => state().firewall.open(shop),
		reads: ({state}, signal) => state().firewall.load(signal),
		shown: ({state}) => state().firewall.data?.filters.length,
		unchanged: ['a 410'],
	},
	{
		name: 'custom rules of a zone',
		path: /\/entrypoint$/,
		before: async ({state}) => state().customRules.open(shop),
		reads: ({state}, signal) => state().customRules.load(signal),
		shown: ({state}) => state().customRules.data?.ruleset,
	},
];

describe.each(screens)('the screen of $name', screen => {
	const wanted = Object.entries(kinds).filter(([name]) => !screen.unchanged?.includes(name));
	test.each(wanted)('reports the kind of response it got: %s', async (_name, {answer, code}) => {
		const space = createTestStore();
		await screen.before?.(space);
		const before = screen.shown(space);
		const {simulator} = space;
		const {fetch} = simulator;
		simulator.fetch = async request =>
			screen.path.test(new URL(request.url).pathname) ? answer() : fetch.call(simulator, request);
		const isDone = await space.state().work.run('reading', 'read', signal => screen.reads(space, signal));
		expect(isDone).toBe(false);
		expect(space.state().messages.latest).toMatchObject({kind: 'failed', failure: {code}});
		expect(screen.shown(space)).toEqual(before);
	});
});
