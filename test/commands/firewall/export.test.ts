import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {parseHcl} from '../../support/hcl.ts';
import {createScratchFolder, type EndedRun, ledge} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import type {RunningService} from '../../support/service.ts';

/** acme.example, on the Enterprise plan. */
const zone = 'd0e032749968114a09730950255c7c0f';
const entryPoint = `/zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`;

/** Texts that would break out of a string, a template or a line, were they not escaped. */
const hostile = {
	expression: `http.user_agent contains "\${file(\\"x\\")} %{ if \\\\" and http.host eq "größe.example"`,
	description: `says "hi"\n} resource "x" "y" {\t%{if}\${z} \u202e größe 🙂 \u001b[2J`,
};

/** Filters and rules of the zone, not in evaluation order. `filter`: the index of a filter. */
const firewall = {
	filters: [
		{expression: 'ip.src eq 192.0.2.1', description: 'the office', ref: 'office-filter'},
		{expression: hostile.expression, description: hostile.description},
		{expression: 'http.host eq "paused.example"', paused: true},
		{expression: 'not ssl', description: 'used by none'},
	],
	rules: [
		{filter: 1, action: 'block', description: hostile.description, priority: 30},
		{filter: 2, action: 'challenge', priority: 40},
		{filter: 0, action: 'bypass', products: ['waf', 'bic'], priority: 10, ref: 'office'},
		{filter: 0, action: 'log', priority: 20, paused: true},
	],
};

let service: RunningService;
let filterIds: string[];

async function send(method: string, path: string, body?: unknown) {
	const response = await fetch(`${service.url}${path}`, {
		method,
		headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
		...(body !== undefined && {body: JSON.stringify(body)}),
	});
	const json = (await response.json()) as {success: boolean; result: unknown; errors: unknown};
	if (!json.success) throw new Error(`${method} ${path}: ${JSON.stringify(json.errors)}`);
	return json.result;
}

const runExport = (words: readonly string[], cwd = createScratchFolder()): Promise<EndedRun> =>
	ledge(['firewall', 'export', '--zone-id', zone, ...words], {env: service.env, cwd});

/** Deletes the sample filters or rules of the zone. */
async function deleteAll(path: string): Promise<void> {
	const items = (await send('GET', `${path}?per_page=100`)) as {id: string}[];
	if (items.length > 0) await send('DELETE', `${path}?${items.map(({id}) => `id=${id}`).join('&')}`);
}

beforeAll(async () => {
	service = await serveSimulator();
	await deleteAll(`/zones/${zone}/firewall/rules`);
	await deleteAll(`/zones/${zone}/filters`);
	const createdFilters = (await send('POST', `/zones/${zone}/filters`, firewall.filters)) as {id: string}[];
	filterIds = createdFilters.map(({id}) => id);
	for (const {filter, ...rule} of firewall.rules)
		await send('POST', `/zones/${zone}/firewall/rules`, [{...rule, filter: {id: filterIds[filter]}}]);
});

describe('json', () => {
	test('contains everything needed to recreate filters and rules', async () => {
		const {code, stdout, stderr} = await runExport([]);
		expect({code, stderr}).toEqual({code: 0, stderr: ''});
		const {filters, rules, ...rest} = JSON.parse(stdout);
		expect(rest).toEqual({zone: {id: zone, name: 'acme.example'}});
		expect(filters).toHaveLength(firewall.filters.length);
		for (const [index, filter] of firewall.filters.entries())
			expect(filters).toContainEqual({paused: false, ...filter, id: filterIds[index]});
		expect(rules).toHaveLength(firewall.rules.length);
		for (const {filter, ...rule} of firewall.rules)
			expect(rules).toContainEqual({
				paused: false,
				...rule,
				id: expect.any(String),
				filter: {id: filterIds[filter]},
			});
	});

	test('is marked if it comes from the simulated service', async () => {
		const {stdout} = await ledge(['firewall', 'export', '--simulate', '--zone', 'acme.example']);
		expect(JSON.parse(stdout)).toMatchObject({simulated: true});
	});
});

/** The custom rules that the export must contain, in evaluation order. */
const expectedRules = [
	{
		action: 'skip',
		action_parameters: {products: ['waf', 'bic'], phases: ['http_request_firewall_managed']},
		expression: 'ip.src eq 192.0.2.1',
		description: 'the office',
		enabled: true,
		logging: {enabled: true},
		ref: 'office',
	},
	{action: 'log', expression: 'ip.src eq 192.0.2.1', description: 'the office', enabled: false},
	{action: 'block', expression: hostile.expression, description: hostile.description, enabled: true},
	{action: 'challenge', expression: 'http.host eq "paused.example"', enabled: false},
];

test('exported custom rules are accepted by the entry point, in the same order', async () => {
	const {code, stdout, stderr} = await runExport(['--format', 'custom-rules']);
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
	expect(JSON.parse(stdout)).toEqual({rules: expectedRules});
	await send('PUT', entryPoint, JSON.parse(stdout));
	expect(await send('GET', entryPoint)).toMatchObject({rules: expectedRules});

	const again = await runExport(['--format', 'custom-rules']);
	expect(again.stdout).toBe(stdout);
	expect(again.stderr).toMatch(
		/^warning: The zone currently has 4 custom rules .* would replace all of them\.\n$/,
	);
});

test.each([
	'acme-blog.example',
	'acme-shop.example',
	'acme-pay.example',
	'acme-legacy.example',
])('the sample firewall rules of %s are exported as valid custom rules', async name => {
	const {stdout} = await ledge(['firewall', 'export', '--zone', name, '--format', 'custom-rules'], {
		env: service.env,
	});
	const [{id} = {id: ''}] = (await send('GET', `/zones?name=${name}`)) as {id: string}[];
	const {rules} = JSON.parse(stdout);
	expect(await send('PUT', entryPoint.replace(zone, id), {rules})).toMatchObject({rules});
});

describe('terraform', () => {
	test.each(['4', '5'])('for provider %s is one ruleset with all rules unchanged', async provider => {
		const {code, stdout} = await runExport(['--format', 'terraform', '--provider', provider]);
		expect(code).toBe(0);
		const configuration = (await parseHcl('x.tf', stdout)) as {
			resource: {cloudflare_ruleset: {custom_rules: [{rules: {expression: string; description?: string}[]}]}};
		};
		expect(Object.keys(configuration.resource)).toEqual(['cloudflare_ruleset']);
		const unescapeTemplates = (text = '') => text.replace(/([$%])\1\{/g, '$1{');
		expect(
			configuration.resource.cloudflare_ruleset.custom_rules[0].rules.map(({expression, description}) => ({
				expression: unescapeTemplates(expression),
				description: unescapeTemplates(description),
			})),
		).toEqual(expectedRules.map(({expression, description = ''}) => ({expression, description})));
	});

	test('is for provider 5 by default', async () => {
		const [defaultProvider, provider5, provider4] = await Promise.all([
			runExport(['--format', 'terraform']),
			runExport(['--format', 'terraform', '--provider', '5']),
			runExport(['--format', 'terraform', '--provider', '4']),
		]);
		expect(defaultProvider.stdout).toBe(provider5.stdout);
		expect(defaultProvider.stdout).not.toBe(provider4.stdout);
	});
});

describe('--output', () => {
	test.each([
		'json',
		'custom-rules',
		'terraform',
	])('%s: the file has the same content as stdout', async format => {
		const cwd = createScratchFolder();
		const shown = await runExport(['--format', format]);
		const written = await runExport(['--format', format, '--output', 'out'], cwd);
		expect(written).toMatchObject({code: 0, stdout: ''});
		expect(readFileSync(join(cwd, 'out'), 'utf8')).toBe(shown.stdout);
	});

	test('an existing file is kept, without calling the service', async () => {
		const cwd = createScratchFolder();
		writeFileSync(join(cwd, 'out'), 'mine');
		const before = (await service.calls()).length;
		const {code, stderr} = await runExport(['--output', 'out'], cwd);
		expect(code).toBe(2);
		expect(stderr).toContain('already exists');
		expect(readFileSync(join(cwd, 'out'), 'utf8')).toBe('mine');
		expect((await service.calls()).length).toBe(before);
	});

	test.each(['--yes', '--force'])('%s overwrites the file', async word => {
		const cwd = createScratchFolder();
		writeFileSync(join(cwd, 'out'), 'mine');
		expect((await runExport(['--output', 'out', word], cwd)).code).toBe(0);
		expect(JSON.parse(readFileSync(join(cwd, 'out'), 'utf8'))).toHaveProperty('filters');
	});

	test('a dry run prints and writes no file', async () => {
		const cwd = createScratchFolder();
		const {code, stdout} = await runExport(['--output', 'out', '--dry-run'], cwd);
		expect([code, existsSync(join(cwd, 'out'))]).toEqual([0, false]);
		expect(JSON.parse(stdout)).toHaveProperty('filters');
	});

	test('--json describes the written file', async () => {
		const {stdout} = await runExport(['--output', 'out', '--json', '--format', 'terraform']);
		expect(JSON.parse(stdout)).toEqual({
			file: 'out',
			format: 'terraform',
			rules: 4,
			bytes: expect.any(Number),
		});
	});
});

describe('wrong use', () => {
	test.each([
		['an unknown format', ['--format', 'yaml']],
		['a provider that is none', ['--format', 'terraform', '--provider', '3']],
		['a provider without Terraform', ['--provider', '5']],
		['--json for text that is not JSON', ['--format', 'terraform', '--json']],
	])('%s', async (_what, words) => {
		const {code, stdout} = await runExport(words);
		expect({code, stdout}).toEqual({code: 2, stdout: ''});
	});
});

test.each(['json', 'custom-rules', 'terraform'])('an export as %s only reads', async format => {
	const before = (await service.calls()).length;
	await runExport(['--format', format]);
	const methods = (await service.calls()).slice(before).map(({method}) => method);
	expect(new Set(methods)).toEqual(new Set(['GET']));
});
