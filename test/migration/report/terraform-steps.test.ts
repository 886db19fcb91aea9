import {spawnSync} from 'node:child_process';
import {describe, expect, test} from 'vitest';
import {
	buildTerraformSteps,
	formatStateRemovalSteps,
} from '../../../source/migration/report/terraform-steps.ts';
import type {Snapshot} from '../../../source/migration/zone/snapshot.ts';
import {buildBareSnapshot} from '../../support/snapshot.ts';

const zone = {id: 'f'.repeat(32), name: 'one.example'};
const snapshot = buildBareSnapshot({
	zone: {...zone, plan: 'enterprise', label: 'Acme › zone one.example', account: 'Acme'},
	packages: [
		{
			package: {id: 'p1', name: 'Platform', detection_mode: 'traditional'},
			groups: [{id: 'g1', name: 'Joomla', mode: 'off', package_id: 'p1'}],
			rules: [
				{id: 'w1', description: 'one', mode: 'challenge', default_mode: 'block', package_id: 'p1'},
				{id: 'w2', description: 'two', mode: 'default', default_mode: 'block', package_id: 'p1'},
			],
		},
	],
	overrides: [{id: 'o1', urls: ['one.example/*'], rules: {w1: 'disable'}}],
	firewallRules: [{id: 'r1', action: 'bypass', products: ['waf'], filter: {id: 'f1', expression: 'ssl'}}],
	filters: [{id: 'f1', expression: 'ssl'}],
});
const listCommands = (zoneSnapshot: Snapshot = snapshot, rulesetId: string | undefined = 'e1'): string[] =>
	buildTerraformSteps(zoneSnapshot, zone, {providerVersion: 4, rulesetId}).flatMap(step => step.commands);

/** Expects commands that contain these parts, in this order. */
function expectInOrder(given: readonly string[], ...parts: readonly string[]): void {
	const indexes = parts.map(part => given.findIndex(command => command.includes(part)));
	expect(indexes).not.toContain(-1);
	expect(indexes).toEqual(indexes.toSorted((one, other) => one - other));
}

describe('the order of the steps', () => {
	test('is import of the ruleset, removal from the state, changes of the files, and the plan last', () => {
		expectInOrder(
			listCommands(),
			'state pull',
			`terraform import cloudflare_ruleset.managed_rules_one_example zone/${zone.id}/e1`,
			'terraform state list',
			'terraform state rm -dry-run',
			'terraform state rm "$address"',
			'resource "cloudflare_waf_(override|package|group|rule)"',
		);
		expect(listCommands().at(-1)).toBe('terraform plan');
	});

	test('puts filters and firewall rules after the managed rules, and only if there are any', () => {
		expectInOrder(
			listCommands(),
			'cloudflare_waf_(override|package|group|rule)',
			'cloudflare_(filter|firewall_rule)',
		);
		expect(listCommands({...snapshot, firewallRules: [], filters: []}).join('\n')).not.toContain(
			'firewall_rule',
		);
	});
});

test('steps use ids if they are known; for rules only those with their own mode', () => {
	const idLoops = listCommands().filter(command => command.startsWith('for id in'));
	expect(idLoops.map(command => /^for id in (.*?);/.exec(command)?.[1])).toEqual(['o1 p1 g1 w1', 'r1 f1']);
});

test('showing and removing are separate steps', () => {
	for (const {commands} of buildTerraformSteps(snapshot, zone, {providerVersion: 5})) {
		const removalCommands = commands.filter(command => command.includes('state rm'));
		expect(removalCommands.length).toBeLessThan(2);
	}
});

test('each step for firewall rules says in its title that it comes after their conversion', () => {
	const firewallSteps = buildTerraformSteps(snapshot, zone, {providerVersion: 5}).filter(
		({commands: all}) => all.join().includes('firewall-addresses') || all.join().includes('firewall_rule'),
	);
	expect(firewallSteps).toHaveLength(5);
	for (const {title, optional} of firewallSteps) {
		expect(title).toMatch(/^After converting filters and firewall rules to custom rules: /);
		expect(optional).toBe(true);
	}
});

test('zones in one Terraform configuration have separate files and resources', () => {
	const files = ['one.example', 'two.example'].map(
		name =>
			buildTerraformSteps(snapshot, {...zone, name}, {providerVersion: 5})
				.flatMap(step => step.commands)
				.find(command => command.endsWith('.tf'))
				?.split(' > ')[1],
	);
	expect(files).toEqual(['managed_rules_one_example.tf', 'managed_rules_two_example.tf']);
});

test.each([undefined, ''])('if no ruleset is known yet (%j), a placeholder takes its place', rulesetId => {
	expect(
		buildTerraformSteps(snapshot, zone, {providerVersion: 5, rulesetId}).flatMap(step => step.commands),
	).toContain(`terraform import cloudflare_ruleset.managed_rules_one_example zones/${zone.id}/RULESET_ID`);
});

/** Runs a command with a `terraform` that lists these addresses, and prints the arguments of other calls. */
function runInShell(command: string, addresses: readonly string[]): string {
	const script = `terraform() { if [ "$1 $2" = "state list" ]; then printf '%s\\n' "$LISTED"; else printf '%s|' "$@"; echo; cat > /dev/null; fi; }\n${command}`;
	const {stdout, stderr} = spawnSync('bash', ['-c', script], {
		encoding: 'utf8',
		env: {...process.env, LISTED: addresses.join('\n')},
	});
	expect(stderr).toBe('');
	return stdout;
}

describe('the commands in a shell', () => {
	const stateListCommand = (
		listCommands().find(command => command.startsWith('terraform state list')) ?? ''
	).replace(/ > \S+$/, '');

	test('list the old resources, including those in modules, and nothing else', () => {
		const oldAddresses = [
			'cloudflare_waf_group.joomla',
			'module.a["x y"].cloudflare_waf_rule.one["b c"]',
			'cloudflare_waf_override.o',
			'cloudflare_waf_package.p[0]',
		];
		const otherAddresses = [
			'data.cloudflare_waf_rules.all',
			'cloudflare_ruleset.managed_rules_one_example',
			'cloudflare_filter.f',
		];
		expect(
			runInShell(stateListCommand, [...oldAddresses, ...otherAddresses])
				.trimEnd()
				.split('\n'),
		).toEqual(oldAddresses);
	});

	test('remove each address as one argument, whatever it contains', () => {
		const removeCommand = listCommands().find(command => command.includes('state rm "$address"')) ?? '';
		const addresses = ['cloudflare_waf_group.a["b c"]', "cloudflare_waf_rule.x['$(y)']"];
		const removeCommandWithList = removeCommand.replace(/< \S+$/, '< <(printf \'%s\\n\' "$LISTED")');
		expect(runInShell(removeCommandWithList, addresses)).toBe(
			addresses.map(one => `state|rm|${one}|\n`).join(''),
		);
	});
});

test('running the whole text removes nothing that may still be needed', () => {
	const activeLines = formatStateRemovalSteps(snapshot, zone, {providerVersion: 4, rulesetId: 'e1'})
		.split('\n')
		.filter(line => !line.startsWith('#'))
		.join('\n');
	expect(activeLines).not.toContain('cloudflare_(filter|firewall_rule)');
	expect(activeLines).not.toContain('for id in');
	expect(activeLines).toContain('terraform state rm "$address"');
});

test('the text is a script with steps as comments, and a hostile name stays in its comment', () => {
	const hostile = {...zone, name: 'one\nrm -rf ~'};
	const text = formatStateRemovalSteps(snapshot, hostile, {providerVersion: 4, rulesetId: 'e1'});
	const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('# '));
	const steps = buildTerraformSteps(snapshot, hostile, {providerVersion: 4, rulesetId: 'e1'});
	expect(lines).toEqual(steps.filter(({optional}) => !optional).flatMap(step => step.commands));
	expect(text).toMatch(/^# Terraform after the migration of one\\nrm -rf ~/);
	expect(text.replaceAll('\n# ', ' ')).toContain('only up to provider version 3.35');
	expect(spawnSync('bash', ['-n'], {input: text}).status).toBe(0);
});
