import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type KnownRules, resolveEventRule} from '../../source/events/event-rule.ts';
import {proposeEventException} from '../../source/events/exception.ts';
import {analyse} from '../../source/firewall/expression/expressions.ts';
import {buildAddressExpression, buildPathExpression} from '../../source/firewall/rules/targets.ts';
import {getTestSeed} from '../support/seed.ts';

const owasp = {id: '4814384a9e5d4991b9815dcfc25d2f1f', name: 'OWASP Core Ruleset'};
const rule = {id: '6179ae15870a4bb7b2d480d4843b323c', description: '949110: Inbound Anomaly Score Exceeded'};
const knownRules: KnownRules = {
	managed: [{...owasp, rules: [{...rule, categories: [], action: 'block', enabled: true}]}],
	custom: [{id: 'c1', action: 'block', expression: 'ssl', description: 'No TLS'}],
	executing: [{id: 'x1', action: 'skip', expression: 'ssl', description: 'Uploads pass'}],
};

/** Parses a valid expression; returns its tree as JSON. */
function parseToJson(expression: string): unknown {
	const {tree, errors} = analyse(expression);
	expect(errors).toEqual([]);
	return JSON.stringify(tree);
}

describe('the rule behind an event', () => {
	test('is named by the event, or else by the rules that were loaded', () => {
		const resolveRule = (source: string, id: string, description?: string) =>
			resolveEventRule({source, ruleId: id, ...(description !== undefined && {description})}, knownRules);
		expect(resolveRule('firewallManaged', rule.id)).toEqual({
			kind: 'managed',
			id: rule.id,
			name: rule.description,
			ruleset: owasp,
		});
		expect(resolveRule('firewallManaged', rule.id, 'Its own')).toMatchObject({name: 'Its own'});
		expect(resolveRule('firewallManaged', 'x1')).toMatchObject({name: 'Uploads pass', ruleset: undefined});
		expect(resolveRule('firewallCustom', 'c1')).toMatchObject({kind: 'custom', name: 'No TLS'});
		expect(resolveRule('firewallCustom', rule.id)).toMatchObject({kind: 'custom', name: undefined});
		expect(resolveRule('waf', '100000')).toMatchObject({kind: 'previous', name: undefined});
		expect(resolveRule('constructor', 'c1')).toMatchObject({kind: 'other'});
	});
});

describe('an exception for an event', () => {
	const event = {source: 'firewallManaged', ruleId: rule.id, action: 'block', path: '/login'};

	test('skips that rule for that path', () => {
		expect(proposeEventException(event, knownRules)).toEqual({
			exception: {
				expression: 'http.request.uri.path eq "/login"',
				skips: {kind: 'rules', rules: {[owasp.id]: [rule.id]}},
				description: `False positive of ${rule.description}`,
			},
		});
	});

	test('also tests the host if the event names it', () => {
		expect(proposeEventException({...event, host: 'shop.example'}, knownRules)).toMatchObject({
			exception: {
				expression: '(http.host eq "shop.example" and http.request.uri.path eq "/login")',
				skips: {kind: 'rules', rules: {[owasp.id]: [rule.id]}},
			},
		});
	});

	test('leaves the expression to the user if the path is unknown', () => {
		expect(proposeEventException({...event, path: undefined}, knownRules)).toMatchObject({
			exception: {expression: ''},
		});
	});

	test.each([
		[{...event, source: 'waf'}, 'Previous managed rules have no exceptions'],
		[{...event, source: 'firewallCustom'}, 'Custom rules have no exceptions'],
		[{...event, source: 'firewallRules'}, 'Firewall rules have no exceptions'],
		[{...event, source: 'ratelimit'}, 'Rate limits have no exceptions'],
		[{...event, source: 'bic'}, 'browser integrity check'],
		[{...event, action: 'skip'}, 'comes from an exception'],
		[{...event, ruleId: undefined}, "doesn't say which rule caused it"],
		[{...event, ruleId: 'f'.repeat(32)}, "Can't find the managed ruleset"],
		[{...event, path: `/${'é'.repeat(5000)}`}, 'The path is too long'],
	])('is refused for %o: %s', (refusedEvent, reason) => {
		const proposal = proposeEventException(refusedEvent, knownRules);
		expect('refused' in proposal && proposal.refused).toContain(reason);
	});

	test('matches exactly that path, whatever characters it contains', () => {
		const path = fc.string({unit: 'binary', maxLength: 60}).map(text => `/${text}`);
		const hostilePath = fc
			.array(
				fc.constantFrom(
					'"',
					'\\',
					'\\"',
					'\n',
					'\u0000',
					' or ',
					'" or true or "',
					'é',
					'\ud83d\ude00',
					'/',
					'*',
					'r#"',
					'"#',
				),
			)
			.map(parts => `/${parts.join('')}`);
		fc.assert(
			fc.property(fc.oneof(path, hostilePath), text => {
				const tree = parseToJson(buildPathExpression(text));
				const {value} = findValue(JSON.parse(String(tree)));
				expect(value).toBe(text.toWellFormed());
			}),
			{seed: getTestSeed(), numRuns: 500},
		);
	});
});

/** Finds the only literal of a tree. */
function findValue(tree: unknown): {readonly value?: unknown} {
	if (typeof tree !== 'object' || tree === null) return {};
	const {value, kind} = tree as {value?: unknown; kind?: unknown};
	if (kind === 'string' || (typeof value === 'string' && kind !== 'field')) return {value};
	for (const part of Object.values(tree)) {
		const found = findValue(part);
		if ('value' in found) return found;
	}
	return {};
}

describe('the expression of an address', () => {
	test('is built for exactly one address, not for text that merely begins like one', () => {
		expect(buildAddressExpression('192.0.2.7')).toBe('ip.src eq 192.0.2.7');
		expect(buildAddressExpression('2001:db8::7')).toBe('ip.src eq 2001:db8::7');
		for (const text of [
			'',
			'192.0.2.0/24',
			'192.0.2.1 or true',
			'192.0.2.1..192.0.2.9',
			'fe80::1%eth0',
			'a.example',
		])
			expect(buildAddressExpression(text)).toBeUndefined();
	});
});
