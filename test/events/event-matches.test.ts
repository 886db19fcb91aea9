import {expect, test} from 'vitest';
import {readEventMatches} from '../../source/events/event-matches.ts';
import {describeUndecided, formatMatchedEvents, listTopMatches} from '../../source/events/match-words.ts';
import {neverAbortedSignal} from '../service/scripted-transport.ts';
import {buildZoneData, createQueryClient, createScriptedSchema, scriptedZoneId} from './scripted.ts';

const until = Date.UTC(2026, 10, 23, 12);
const day = 86_400_000;

const event = {
	datetime: '2026-11-23T11:00:00Z',
	action: 'block',
	source: 'firewallCustom',
	clientIP: '192.0.2.7',
	clientAsn: '64501',
	clientCountryName: 'DE',
	clientRequestHTTPHost: 'shop.example',
	clientRequestHTTPMethodName: 'GET',
	clientRequestPath: '/a',
	clientRequestHTTPProtocol: 'HTTP/2',
	clientRequestQuery: '?q=1',
	clientRequestScheme: 'https',
	userAgent: 'Agent/1.0',
};

async function matchEvents(
	expression: string,
	events: readonly Partial<typeof event>[],
	options: Partial<Parameters<typeof createQueryClient>[0]> = {},
	span = {since: until - day, until},
) {
	const {client, queries} = createQueryClient({answer: () => buildZoneData({events}), ...options});
	const {value, problems} = await readEventMatches(
		client,
		scriptedZoneId,
		expression,
		span,
		neverAbortedSignal,
	);
	if (!value) throw new Error(JSON.stringify(problems));
	return {...value, queries};
}

test.each([
	'ip.src in {192.0.2.0/24}',
	'ip.src.asnum eq 64501 and ip.geoip.asnum in {64501}',
	'ip.src.country eq "DE" and ip.geoip.country eq "DE"',
	'http.host eq "shop.example"',
	'http.request.method eq "GET"',
	'http.request.uri.path eq "/a"',
	'http.request.uri.query eq "q=1"',
	'http.request.uri eq "/a?q=1"',
	'ssl and http.request.version eq "HTTP/2"',
	'http.request.full_uri eq "https://shop.example/a?q=1"',
	'http.user_agent eq "Agent/1.0"',
	'any(http.request.headers["user-agent"][*] eq "Agent/1.0")',
	`http.request.timestamp.sec eq ${Date.UTC(2026, 10, 23, 11) / 1000}`,
])('an event determines %s', async expression => {
	expect(await matchEvents(expression, [event])).toMatchObject({matched: 1, undecided: 0});
	expect(await matchEvents(`not ${expression}`, [event])).toMatchObject({matched: 0, undecided: 0});
});

test('the scheme and protocol are read only if the service has them', async () => {
	const schema = createScriptedSchema(Object.keys(event), []);
	const complete = await matchEvents('ssl', [event], {schema});
	expect(complete.queries[0]).toContain('clientRequestScheme clientRequestHTTPProtocol');
	expect(complete).toMatchObject({matched: 1, undecided: 0});
	const {clientRequestScheme, clientRequestHTTPProtocol, ...rest} = event;
	const incomplete = await matchEvents('ssl', [rest]);
	expect(incomplete.queries[0]).not.toContain('clientRequestScheme');
	expect(incomplete).toMatchObject({undecided: 1, unknownFields: ['ssl']});
});

test('an empty query and user agent are known, unless the service has no such field', async () => {
	const expression = 'http.request.uri.query eq "" and http.user_agent eq "" and http.request.uri eq "/a"';
	const events = [{...event, clientRequestQuery: '', userAgent: ''}];
	expect(await matchEvents(expression, events)).toMatchObject({matched: 1, undecided: 0});
	const {datetime, clientRequestPath} = event;
	const schema = createScriptedSchema(['datetime', 'clientRequestPath'], []);
	expect(await matchEvents(expression, [{datetime, clientRequestPath}], {schema})).toMatchObject({
		matched: 0,
		undecided: 1,
		unknownFields: ['http.request.uri.query', 'http.user_agent', 'http.request.uri'],
	});
});

test('what was counted is said in sentences, with the fields that are missing', async () => {
	const matches = await matchEvents('http.request.uri.path eq "/a" and http.cookie contains "x"', [
		event,
		{...event, clientRequestPath: '/b'},
	]);
	expect(formatMatchedEvents(matches)).toBe('Matches 0 of the last 2 security events (24 h, sampled).');
	expect(describeUndecided(matches)).toBe("1 can't be decided: events do not include http.cookie.");
	expect(formatMatchedEvents(await matchEvents('http.cookie contains "x"', [event, event]))).toBe(
		'Unknown for the last 2 security events (24 h, sampled).',
	);
	const none = await matchEvents('ssl', [], {}, {since: until - 1_800_000, until});
	expect(formatMatchedEvents(none)).toBe('No security events in the last 30 min.');
	expect(describeUndecided(none)).toBeUndefined();
});

test('one query reads at most 1,000 events; others are said to exist', async () => {
	const events = Array.from({length: 1000}, () => event);
	const matches = await matchEvents('http.host eq "shop.example"', events);
	expect(matches.queries).toHaveLength(1);
	expect(matches.queries[0]).toContain('limit: 1000');
	expect(formatMatchedEvents(matches)).toBe(
		'Matches 1,000 of the last 1,000 security events (1 h, sampled; more exist).',
	);
});

test('the most frequent values of matched events are counted, and cannot affect a terminal', async () => {
	const hostile = {...event, clientRequestPath: `/\u001b[31m\n\u202e${'x'.repeat(100)}`};
	const matches = await matchEvents('http.request.uri.path ne "/b"', [
		hostile,
		hostile,
		event,
		{...event, clientRequestPath: '/b'},
	]);
	expect(matches.top.paths).toEqual([
		{value: hostile.clientRequestPath, count: 2},
		{value: '/a', count: 1},
	]);
	const [paths, countries] = listTopMatches(matches);
	expect(paths?.text).toMatch(/^\/\\x1b\[31m[ \\nu202ex]+… \(2\), \/a \(1\)$/);
	expect(countries).toEqual({list: 'countries', text: 'DE (3)'});
});
