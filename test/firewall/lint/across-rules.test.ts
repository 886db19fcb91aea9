import {describe, expect, test} from 'vitest';
import {getRuleCodes, lintFile, now, writeRules} from './support.ts';

describe('a rule never runs if an earlier one', () => {
	test.each([
		['blocks all of its requests', ['block http.host eq "a"', 'log http.host eq "a" and ssl']],
		['skips the remaining rules', ['skip ip.src in {192.0.2.0/24}', 'block ip.src eq 192.0.2.1']],
		['matches all requests', ['block true', 'log http.host eq "a"']],
		['matches more values', ['block http.host in {"a" "b" "c"}', 'log http.host in {"a" "c"}']],
	])('%s', (_name, rules) => {
		expect(getRuleCodes(lintFile(writeRules(...rules)))).toEqual(['L201 2']);
	});

	test('names the first of them, and what it does', () => {
		const [, finding] = lintFile(
			JSON.stringify({
				custom_rules: [
					{action: 'block', expression: 'ssl', description: 'No TLS'},
					{action: 'block', expression: 'ssl and http.host eq "a"'},
				],
			}),
		).filter(({level}) => level !== 'hint');
		expect(finding ?? lintFile(writeRules('block ssl', 'log ssl and http.host eq "a"')).at(-1)).toMatchObject(
			{
				sentence: expect.stringMatching(
					/^The rule never runs: custom rule 1.* blocks all of its requests first\.$/,
				),
			},
		);
	});
});

describe('nothing is said if an earlier rule', () => {
	test.each([
		['only logs', ['log ssl', 'block ssl']],
		['only challenges, which visitors can pass', ['managed_challenge ssl', 'block ssl and http.host eq "a"']],
		['matches fewer requests', ['block ssl and http.host eq "a"', 'log ssl']],
		[
			'might match fewer requests',
			['block http.user_agent matches "^curl"', 'log http.user_agent eq "curl"'],
		],
		['matches other requests', ['block http.host eq "a"', 'block http.host eq "b"']],
		['names an unknown list', ['block ip.src in $a', 'block ip.src eq 192.0.2.1']],
		['is invalid', ['block ssl and', 'block ssl']],
	])('%s', (_name, rules) => {
		expect(getRuleCodes(lintFile(writeRules(...rules)))).toEqual([]);
	});

	test('skips only products or other phases', () => {
		const skip = {action: 'skip', expression: 'ssl', action_parameters: {products: ['waf']}};
		const text = JSON.stringify({custom_rules: [skip, {action: 'block', expression: 'ssl'}]});
		expect(getRuleCodes(lintFile(text))).toEqual([]);
	});

	test('is paused or has ended', () => {
		const text = JSON.stringify({
			custom_rules: [
				{action: 'block', expression: 'ssl', enabled: false},
				{action: 'block', expression: `(ssl) and http.request.timestamp.sec lt ${now - 60}`},
				{action: 'block', expression: 'ssl'},
			],
		});
		expect(getRuleCodes(lintFile(text))).toEqual(['L202 1', 'L203 2']);
	});

	test('is a rate limit, which acts only when it is exceeded', () => {
		const ratelimit = {characteristics: ['ip.src', 'cf.colo.id'], period: 60, requests_per_period: 20};
		const limits = [
			{action: 'block', expression: 'ssl', ratelimit},
			{action: 'block', expression: 'ssl', ratelimit: {...ratelimit, period: 10}},
		];
		expect(getRuleCodes(lintFile(JSON.stringify({rate_limits: limits})))).toEqual([]);
		const twins = [limits[0], {...limits[0], description: 'Twin'}];
		expect(getRuleCodes(lintFile(JSON.stringify({rate_limits: twins})))).toEqual(['L200 2']);
	});
});

test('the same expression in another notation is the same rule', () => {
	expect(
		getRuleCodes(lintFile(writeRules('block ssl and http.host eq "a"', 'block (ssl) && http.host=="a"'))),
	).toEqual(['L200 2']);
	expect(getRuleCodes(lintFile(writeRules('log ssl', 'block ssl', 'managed_challenge ssl')))).toEqual([
		'L201 3',
	]);
});

test('rules of different sections are not compared', () => {
	const rule = {action: 'block', expression: 'ssl', description: 'Same'};
	const ratelimit = {characteristics: ['ip.src', 'cf.colo.id'], period: 60, requests_per_period: 20};
	const text = JSON.stringify({custom_rules: [rule], rate_limits: [{...rule, ratelimit}]});
	expect(getRuleCodes(lintFile(text))).toEqual([]);
});

test('hundreds of rules are compared with each other', () => {
	const rules = Array.from({length: 200}, (_, index) => `block http.host eq "host-${index}.example" and ssl`);
	expect(getRuleCodes(lintFile(writeRules(...rules, 'log http.host eq "host-7.example" and ssl')))).toEqual([
		'L201 201',
	]);
});
