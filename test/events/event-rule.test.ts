import {expect, test} from 'vitest';
import {formatEventRuleName, type KnownRules, resolveEventRule} from '../../source/events/event-rule.ts';

const knownRules: KnownRules = {
	custom: [
		{id: 'c1', action: 'block', expression: 'ip.src eq 203.0.113.9'},
		{id: 'c2', action: 'block', expression: 'ssl', description: 'Over TLS'},
	],
	firewall: [
		{
			id: 'f1',
			paused: false,
			action: 'block',
			priority: null,
			filter: {id: 'x', expression: 'http.host eq "a"', paused: false},
		},
		{id: 'f2', paused: false, action: 'block', priority: null, filter: {id: 'y', deleted: true}},
	],
	executing: [{id: 'm1', action: 'execute', expression: 'true'}],
};

const formatName = (source: string, rule?: string, description?: string) => {
	const reference = {source, ...(rule && {ruleId: rule}), ...(description && {description})};
	return formatEventRuleName(reference, resolveEventRule(reference, knownRules));
};

test('a rule is shown by its name, or else by its expression, or else by its id', () => {
	expect(formatName('firewallCustom', 'c2')).toBe('Over TLS');
	expect(formatName('firewallCustom', 'c2', 'As the event names it')).toBe('As the event names it');
	expect(formatName('firewallCustom', 'c1')).toBe('ip.src eq 203.0.113.9');
	expect(formatName('firewallRules', 'f1')).toBe('http.host eq "a"');
	expect(formatName('firewallRules', 'f2')).toBe('f2');
	expect(formatName('firewallRules', 'c1')).toBe('c1');
	expect(formatName('firewallManaged', 'm1')).toBe('m1');
	expect(formatName('firewallManaged')).toBe('managed rules');
});
