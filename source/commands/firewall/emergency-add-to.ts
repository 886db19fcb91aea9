import {Failure, isFailure} from '../../failure.ts';
import {listing, rulesCommand} from '../../firewall/continuation.ts';
import type {EmergencyDraft} from '../../firewall/rules/emergency-draft.ts';
import {
	type Extending,
	type Extension,
	extendingCustomRule,
	extendingFirewallRule,
	extendRule,
	setExpression,
} from '../../firewall/rules/emergency-extension.ts';
import {findEmergencyReasons} from '../../firewall/rules/emergency-name.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {rules} from '../../firewall/rules/rules.ts';
import {entryPoint} from '../../rulesets/calls.ts';
import {customPhase} from '../../rulesets/ruleset.ts';
import {placeOfZone} from '../../session/write-place.ts';
import type {CommandContext} from '../shell/context.ts';
import {confirmZoneName, type ZoneNameOptions} from '../shell/zone-name.ts';
import {inForceValue, sayInForce, sayUndo} from './emergency-report.ts';
import type {OpenedZone} from './zone.ts';

type AddToOptions = ZoneNameOptions & {readonly addTo: string; readonly customRule?: boolean};

/** `firewall emergency --add-to`: the addresses in one existing block rule, with one call. */
export async function addToRule(
	context: CommandContext,
	opened: OpenedZone,
	draft: EmergencyDraft,
	options: AddToOptions,
): Promise<void> {
	const {output, signal, marked} = context;
	const {zone, client} = opened;
	const found = await extendingIn(opened, draft, options, signal);
	if (found.state === 'unfit')
		throw new Failure('usage', found.sentence, {
			left: 'Nothing was sent.',
			next: 'Leave --add-to out to make a rule of its own.',
		});
	if (found.state === 'blocked already') {
		const {id, addresses, earlier} = found;
		const {expression} = draft.filter;
		const what = `rule ${id}: ${addresses.join(' ')}`;
		sayInForce(output, zone, {id, what, action: 'block', expression, earlier}, 'blocked');
		return output.json
			? output.value([marked({id, added: [], ...inForceValue(expression, earlier)})])
			: undefined;
	}
	const {extension} = found;
	const reasons = findEmergencyReasons(zone, extensionChange(extension));
	await confirmZoneName(context, zone, reasons, options.confirm);
	await context.announceWrite(placeOfZone(zone));
	const what = `${extension.form === 'custom rule' ? 'custom rule' : 'rule'} ${extension.id}`;
	if (extension.covered.length > 0) output.say(`Already blocked by ${what}: ${extension.covered.join(' ')}.`);
	output.say(`Adding ${extension.added.join(' ')} to ${what}, in ${zone.label}.`);
	output.say(`  from ${extension.before}`);
	output.say(`  to   ${extension.expression}`);
	const done = await context.auditedWrites(
		placeOfZone(zone),
		({sends, wrote}) => {
			sends(`add addresses to ${what}`);
			return extendRule(client, zone, extension, {
				signal,
				onLook: () => output.say('The answer was lost; reading the current state.'),
				onWrite: wrote,
			});
		},
		result => ('failure' in result ? result.failure : undefined),
	);
	if (context.options.dryRun) return;
	if (done.state !== 'extended') throw done.failure;
	const {id} = extension;
	const added = setExpression(extension.added);
	const {earlier, afterDoubt} = done;
	const block = {
		id,
		what: `${what} blocks ${extension.added.join(' ')}, too`,
		action: 'block',
		expression: added,
		earlier,
		afterDoubt,
	};
	sayInForce(output, zone, block, 'added');
	if (output.json)
		return output.value([
			marked({
				id: extension.id,
				expression: extension.expression,
				added: extension.added,
				...inForceValue(added, done.earlier),
			}),
		]);
	sayUndo(output, zone, {form: 'addresses', extension});
}

/** Among the firewall rules, else among the custom rules, which have other ids. */
async function extendingIn(
	{zone, client}: OpenedZone,
	draft: EmergencyDraft,
	{addTo: id, customRule}: AddToOptions,
	signal: AbortSignal,
): Promise<Extending> {
	const all = customRule ? [] : await firewallRules({zone, client}, signal);
	const rule = all.find(one => one.id === id);
	if (rule) return extendingFirewallRule(draft, zone, rule, all);
	const entry = await entryPoint(client, zone.id, customPhase, signal);
	const custom = entry?.rules.find(one => one.id === id);
	if (entry && custom) return extendingCustomRule(draft, zone, custom, entry);
	throw new Failure('not_found', `There is no rule ${id} in ${zone.label}.`, {
		left: 'Nothing was sent.',
		next: `See \`${all.length > 0 ? listing(zone, 'rule') : rulesCommand(zone, ['list'])}\` for what there is.`,
	});
}

/** None where the service has retired them. */
async function firewallRules({zone, client}: OpenedZone, signal: AbortSignal): Promise<readonly Rule[]> {
	try {
		return await Array.fromAsync(rules(client, zone.id, signal));
	} catch (error) {
		if (isFailure(error, 'gone')) return [];
		throw error;
	}
}

const extensionChange = ({rule, before, expression}: Extension) => ({
	before: {action: rule.action, filter: {expression: before}},
	after: {action: rule.action, filter: {expression}},
});
