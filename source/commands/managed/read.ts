import type {Failure} from '../../failure.ts';
import {
	describeUnknownRuleId,
	listCatalogueRules,
	searchAdvice,
	searchCatalogue,
} from '../../managed/catalogue.ts';
import {resolveRuleset} from '../../managed/names.ts';
import {toFileConfiguration} from '../../managed/state.ts';
import {buildManagedView} from '../../managed/view.ts';
import {stageWords} from '../../migration/machine/stage.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {formatQuantity} from '../../text/figures.ts';
import {printVersions} from '../rulesets/versions.ts';
import type {CommandContext} from '../shell/context.ts';
import type {CatalogueOptions} from './managed.ts';
import {
	formatCatalogueTable,
	formatExceptionTable,
	formatManagedRules,
	formatVersionRules,
	toCatalogueRuleJson,
} from './text.ts';
import {managedPhaseTexts, openManaged} from './zone.ts';

/** `managed show`: its JSON is a configuration that `managed apply` reads. */
export async function printManagedRules(context: CommandContext): Promise<void> {
	const {output} = context;
	const {managedState} = await openManaged(context, {writes: false});
	const view = buildManagedView(managedState);
	const {zone, stage, readOnlyReason, ruleset, fingerprint, catalogueFailure} = managedState;
	if (!output.json) {
		if (readOnlyReason) output.warn(`Read-only: ${joinFailureText(readOnlyReason)}`);
		if (catalogueFailure)
			output.warn(`The managed rulesets could not be loaded: ${catalogueFailure.message}`);
		return output.writeText(formatManagedRules(managedState, view));
	}
	const {rulesets, exceptions, notDeployed} = view;
	const {name, rules} = toFileConfiguration(managedState.configuration);
	await output.writeJson(
		context.markSimulated({
			zone: {id: zone.id, name: zone.name, plan: zone.plan ?? null},
			stage,
			means: stageWords[stage],
			readOnly: readOnlyReason ? joinFailureText(readOnlyReason) : null,
			version: ruleset?.version ?? null,
			fingerprint,
			rulesets: withNulls(rulesets),
			exceptions: withNulls(exceptions),
			notDeployed,
			catalogueUnread: catalogueFailure ? catalogueFailure.message : null,
			name,
			rules,
		}),
	);
}

/** Replaces undefined by null, so that every entry has the same fields. */
const withNulls = <Value>(value: Value): Value =>
	JSON.parse(JSON.stringify(value, (_, part) => (part === undefined ? null : part))) as Value;

const joinFailureText = ({message, details: {why = ''}}: Failure): string =>
	[message, ...why.split('\n')].filter(Boolean).join(' ');

/** `managed exception list`. */
export async function printExceptions(context: CommandContext): Promise<void> {
	const {managedState} = await openManaged(context, {writes: false});
	const {exceptions} = buildManagedView(managedState);
	if (context.output.json) return context.output.writeJson(withNulls(exceptions));
	await context.output.writeText(
		exceptions.length === 0 ? 'No exceptions.\n' : formatExceptionTable(exceptions),
	);
}

/** `managed catalogue`: prints rules of the managed rulesets, with the effect of each in the zone. */
export async function printCatalogueRules(
	context: CommandContext,
	{ruleset}: CatalogueOptions,
	...words: string[]
): Promise<void> {
	const {output} = context;
	const managedZone = await openManaged(context, {writes: false});
	const {catalogue, catalogueFailure} = managedZone.managedState;
	if (catalogueFailure) throw catalogueFailure;
	const rulesetId = ruleset === undefined ? undefined : resolveRuleset(ruleset, managedZone.managedState);
	const catalogueRules = listCatalogueRules(catalogue ?? [], rulesetId);
	const matchingRules = searchCatalogue(words.join(' '), catalogueRules).map(rule =>
		toCatalogueRuleJson(managedZone.managedState, rule),
	);
	for (const {name, id, rules} of catalogue ?? [])
		if (!rules && (rulesetId === undefined || rulesetId === id))
			output.warn(`The rules of ${name} could not be loaded.`);
	if (output.json) return output.writeJson(matchingRules);
	if (matchingRules.length === 0) {
		const unknownIdText = describeUnknownRuleId(words.join(' '), catalogue ?? [], rulesetId);
		await output.writeText(`${unknownIdText ?? 'No matching managed rules.'}\n`);
		if (unknownIdText === undefined) output.say(searchAdvice);
		return;
	}
	await output.writeText(formatCatalogueTable(matchingRules));
	output.sayIfInteractive(
		`${formatQuantity(matchingRules.length, 'managed rule')} of ${catalogueRules.length}.`,
	);
}

/** `managed versions`. */
export async function printManagedVersions(
	context: CommandContext,
	_options: object,
	version?: string,
): Promise<void> {
	const managedZone = await openManaged(context, {writes: false});
	const toVersionRuleJson = (rule: RulesetRule, place: number) => ({
		place,
		...rule,
	});
	await printVersions(
		context,
		managedZone,
		{...managedPhaseTexts, formatRules: formatVersionRules, toJson: toVersionRuleJson},
		version,
	);
}
