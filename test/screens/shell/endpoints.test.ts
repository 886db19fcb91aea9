import {describe, expect, test} from 'vitest';
import {createTestStore, type TestStore} from '../support/store.ts';

const shop = {
	id: '6e23b63489e7241c0d871b10a397cebb',
	name: 'acme-shop.example',
	plan: 'pro',
	label: 'zone acme-shop.example',
} as const;

const createPage = (status: number) =>
	new Response('<html><title>Attention Required!</title></html>', {
		status,
		headers: {'content-type': 'text/html'},
	});
const createErrorResponse = (status: number, ...errors: object[]) =>
	Response.json({success: false, errors, messages: [], result: null}, {status});

const responseKinds: Readonly<Record<string, {readonly answer: () => Response; readonly code: string}>> = {
	'a 403 of a page': {answer: () => createPage(403), code: 'blocked'},
	'a 403 without errors': {answer: () => createErrorResponse(403), code: 'refused_by_service'},
	'a 401': {
		answer: () => createErrorResponse(401, {code: 10_000, message: 'Authentication error'}),
		code: 'credential_refused',
	},
	'a 404 of the address': {
		answer: () => createErrorResponse(404, {code: 7003, message: 'no route'}),
		code: 'not_found',
	},
	'a 410': {answer: () => createErrorResponse(410, {code: 1, message: 'retired'}), code: 'gone'},
	'a 429': {answer: () => new Response('slow down', {status: 429}), code: 'rate_limited'},
	'a 503': {answer: () => createPage(503), code: 'service_failed'},
	'no body': {answer: () => new Response(null), code: 'answer_malformed'},
	'a page': {answer: () => createPage(200), code: 'answer_malformed'},
	'another JSON': {answer: () => Response.json({ok: true}), code: 'answer_malformed'},
	'a result of null': {
		answer: () => Response.json({success: true, errors: [], messages: [], result: null}),
		code: 'answer_malformed',
	},
};

type Screen = {
	readonly name: string;
	readonly path: RegExp;
	/** Brings the store to where the data is read. */
	readonly prepare?: (testStore: TestStore) => Promise<void>;
	readonly read: (testStore: TestStore, signal: AbortSignal) => Promise<void>;
	/** What the screen shows of the data that was read. A failed read does not change it. */
	readonly getShown: (testStore: TestStore) => unknown;
	readonly validKinds?: readonly string[];
};

const screens: readonly Screen[] = [
	{
		name: 'namespaces',
		path: /\/namespaces$/,
		read: ({state}, signal) => state().namespaces.load('remote', signal),
		getShown: ({state}) => state().namespaces.data.rows.length,
	},
	{
		name: 'a key',
		path: /\/metadata\//,
		prepare: testStore => testStore.openNamespace('CONFIG'),
		read: ({state}, signal) => state().key.open('features', signal),
		getShown: ({state}) => state().key.data?.reading === 'failed' || state().key.data === undefined,
		// A key may have no metadata, so `null` is valid.
		validKinds: ['a result of null'],
	},
	{
		name: 'zones',
		path: /\/zones$/,
		read: ({state}, signal) => state().zones.load(signal),
		getShown: ({state}) => state().zones.data.rows.length,
	},
	{
		name: 'rules of a zone',
		path: /\/firewall\/rules$/,
		prepare: async ({state}) => state().firewall.open(shop),
		read: ({state}, signal) => state().firewall.load(signal),
		getShown: ({state}) => state().firewall.data?.rules.length,
		// 410 is valid: the firewall rules of the zone are retired, and its custom rules are shown.
		validKinds: ['a 410'],
	},
	{
		name: 'filters of a zone',
		path: /\/filters$/,
		prepare: async ({state}) => state().firewall.open(shop),
		read: ({state}, signal) => state().firewall.load(signal),
		getShown: ({state}) => state().firewall.data?.filters.length,
		validKinds: ['a 410'],
	},
	{
		name: 'custom rules of a zone',
		path: /\/entrypoint$/,
		prepare: async ({state}) => state().customRules.open(shop),
		read: ({state}, signal) => state().customRules.load(signal),
		getShown: ({state}) => state().customRules.data?.ruleset,
	},
];

describe.each(screens)('the screen of $name', screen => {
	const failingKinds = Object.entries(responseKinds).filter(([name]) => !screen.validKinds?.includes(name));
	test.each(failingKinds)('reports the kind of response it got: %s', async (_name, {answer, code}) => {
		const testStore = createTestStore();
		await screen.prepare?.(testStore);
		const before = screen.getShown(testStore);
		const {simulator} = testStore;
		const {fetch} = simulator;
		simulator.fetch = async request =>
			screen.path.test(new URL(request.url).pathname) ? answer() : fetch.call(simulator, request);
		const isDone = await testStore
			.state()
			.work.run('reading', 'read', signal => screen.read(testStore, signal));
		expect(isDone).toBe(false);
		expect(testStore.state().messages.latest).toMatchObject({kind: 'failed', failure: {code}});
		expect(screen.getShown(testStore)).toEqual(before);
	});
});
