import {expect, test} from 'vitest';
import {matchesNearlyAll} from '../../../source/firewall/expression/expressions.ts';
import {getRunCount} from '../../support/full.ts';
import {type Choose, createChooser} from './any-expression.ts';

const zone = 'shop.example';

/** A generated request, with the properties that the conditions below test. */
type Visit = {
	readonly host: string;
	readonly secure: boolean;
	readonly method: string;
	readonly path: string;
	readonly agent: string;
	readonly country: string;
	readonly cookie: string;
	readonly address: readonly number[];
	readonly port: number;
};

const chance = (choose: Choose, percent: number): boolean => choose(100) < percent;
const pickOne = <T>(choose: Choose, ...things: readonly [T, ...T[]]): T =>
	things[choose(things.length)] ?? things[0];

/** Creates a request to a site at one host: usually ordinary, sometimes not. */
function createVisit(choose: Choose, host: string): Visit {
	const secure = chance(choose, 99);
	return {
		host: chance(choose, 99) ? host : pickOne(choose, `api.${zone}`, `img.${zone}`),
		secure,
		method: chance(choose, 99) ? 'GET' : pickOne(choose, 'POST', 'HEAD', 'PUT', 'OPTIONS'),
		path: chance(choose, 3)
			? pickOne(choose, '/', '/admin', '/admin/users', '/login.php')
			: `/p/${choose(9999)}`,
		agent: chance(choose, 99)
			? `Mozilla/5.0 (${pickOne(choose, 'Windows', 'iPhone', 'Android')}) ${pickOne(choose, 'Chrome', 'Safari')}`
			: pickOne(choose, 'curl/8.17', 'sqlmap/1.9', 'Googlebot/2.1'),
		country: chance(choose, 2)
			? pickOne(choose, 'DE', 'FR')
			: pickOne(choose, 'AR', 'KE', 'MY', 'NO', 'PE', 'TN'),
		cookie: chance(choose, 2) ? 'session=1' : pickOne(choose, '', 'seen=2', 'theme=dark'),
		address: [1 + choose(222), choose(256), choose(256), choose(256)],
		port: secure ? 443 : 80,
	};
}

type Condition = {readonly text: string; holds(visit: Visit): boolean};

/** Conditions, each as an expression and as a function. */
const conditions: readonly Condition[] = [
	...[zone, `www.${zone}`, `api.${zone}`, 'other.example'].flatMap((name): Condition[] => [
		{text: `http.host eq "${name}"`, holds: ({host}) => host === name},
		{text: `http.host ne "${name}"`, holds: ({host}) => host !== name},
		{text: `http.host contains "${name}"`, holds: ({host}) => host.includes(name)},
		{text: `ends_with(http.host, "${name}")`, holds: ({host}) => host.endsWith(name)},
		{text: `http.host wildcard "*${name}"`, holds: ({host}) => host.endsWith(name)},
		{text: `lower(http.host) in {"${name}" "nobody.example"}`, holds: ({host}) => host === name},
		{
			text: `starts_with(http.request.full_uri, "https://${name}/")`,
			holds: ({host, secure}) => secure && host === name,
		},
		{
			text: `http.request.full_uri wildcard "http*://${name}/*"`,
			holds: ({host}) => host === name,
		},
	]),
	{text: 'ssl', holds: ({secure}) => secure},
	{text: 'not ssl', holds: ({secure}) => !secure},
	{text: 'cf.edge.server_port eq 443', holds: ({port}) => port === 443},
	{text: 'cf.edge.server_port in {80 8080}', holds: ({port}) => port === 80},
	{text: 'http.request.method eq "GET"', holds: ({method}) => method === 'GET'},
	{text: 'http.request.method in {"GET" "POST"}', holds: ({method}) => method === 'GET' || method === 'POST'},
	{text: 'http.request.method in {"TRACE" "PUT"}', holds: ({method}) => method === 'PUT'},
	{text: 'http.request.method ne "DELETE"', holds: ({method}) => method !== 'DELETE'},
	{text: 'starts_with(http.request.uri.path, "/")', holds: () => true},
	{text: 'http.request.uri.path eq "/"', holds: ({path}) => path === '/'},
	{text: 'starts_with(http.request.uri.path, "/admin")', holds: ({path}) => path.startsWith('/admin')},
	{text: 'ends_with(http.request.uri.path, ".php")', holds: ({path}) => path.endsWith('.php')},
	{text: 'http.user_agent contains "Mozilla"', holds: ({agent}) => agent.includes('Mozilla')},
	{text: 'http.user_agent contains "sqlmap"', holds: ({agent}) => agent.includes('sqlmap')},
	{text: 'ip.src.country eq "DE"', holds: ({country}) => country === 'DE'},
	{text: 'ip.src.country in {"DE" "FR"}', holds: ({country}) => country === 'DE' || country === 'FR'},
	{text: 'http.cookie contains "session=1"', holds: ({cookie}) => cookie.includes('session=1')},
	{text: 'ip.src eq 192.0.2.1', holds: ({address}) => address.join('.') === '192.0.2.1'},
	{text: 'ip.src in {10.0.0.0/8}', holds: ({address}) => address[0] === 10},
	{text: 'ip.src in {0.0.0.0/0 ::/0}', holds: () => true},
];

function createCondition(choose: Choose, depth: number): Condition {
	const part = () => createCondition(choose, depth - 1);
	switch (depth === 0 ? 0 : choose(4)) {
		case 1: {
			const inner = part();
			return {text: `not (${inner.text})`, holds: one => !inner.holds(one)};
		}
		case 2: {
			const [a, b] = [part(), part()];
			return {text: `(${a.text}) and (${b.text})`, holds: one => a.holds(one) && b.holds(one)};
		}
		case 3: {
			const [a, b] = [part(), part()];
			return {text: `(${a.text}) or (${b.text})`, holds: one => a.holds(one) || b.holds(one)};
		}
		default:
			return conditions[choose(conditions.length)] as Condition;
	}
}

test('matching 96 % of the requests to a site counts as nearly all traffic, matching 80 % does not', () => {
	const choose = createChooser(29);
	const sites = [zone, `www.${zone}`].map(host => Array.from({length: 500}, () => createVisit(choose, host)));
	const testedCounts = {all: 0, part: 0};
	for (let round = 0; round < getRunCount(2000); round++) {
		const {text, holds} = createCondition(choose, 3);
		const share = Math.max(...sites.map(visits => visits.filter(holds).length / visits.length));
		// In between, both results are correct.
		if (share < 0.96 && share > 0.8) continue;
		const expected = share >= 0.96;
		testedCounts[expected ? 'all' : 'part'] += 1;
		expect.soft(matchesNearlyAll(text, zone), `${share} of the requests: ${text}`).toBe(expected);
	}
	expect(testedCounts.all).toBeGreaterThan(getRunCount(2000) / 10);
	expect(testedCounts.part).toBeGreaterThan(getRunCount(2000) / 10);
});
