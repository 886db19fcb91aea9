import {Failure} from '../failure.ts';
import type {ManagedConfiguration} from '../migration/configuration/configuration.ts';
import {managedRulesets} from '../migration/configuration/mapping.ts';
import {findExecutedRulesetId} from '../migration/configuration/override-edits.ts';
import type {ManagedContents} from '../migration/zone/managed-contents.ts';
import {buildAdvice, buildZoneCommand} from '../text/advice.ts';
import {formatDidYouMean, formatNameList} from '../text/closest-name.ts';
import {listRulesetsWith, resolveRuleNumber} from './catalogue.ts';
import type {ManagedRulesState} from './state.ts';

/** Short names of managed rulesets. */
const shortNames: Readonly<Record<string, string>> = {
	platform: managedRulesets.platform.id,
	managed: managedRulesets.platform.id,
	owasp: managedRulesets.owasp.id,
	credentials: managedRulesets.credentials.id,
};

type RulesState = Pick<ManagedRulesState, 'catalogue'>;

/** Short names that messages list; `shortNames` has further ones. */
export const rulesetShortNames = ['platform', 'owasp', 'credentials'] as const;

/**
 * Resolves a word to the id of a managed ruleset: a short name, the service's name, or an id. Fails with
 * `usage`.
 */
export function resolveRuleset(word: string, state: RulesState): string {
	const id = findRuleset(word, state);
	if (id !== undefined) return id;
	throw new Failure('usage', `Unknown managed ruleset "${word}".`, {
		why: `Available: ${formatNameList(listRulesetNames(state))}.`,
		next: `${formatDidYouMean(word, listRulesetNames(state))}Use one of them, or the ID of a ruleset.`,
	});
}

function findRuleset(word: string, {catalogue = []}: RulesState): string | undefined {
	const name = word.trim().toLowerCase();
	if (Object.hasOwn(shortNames, name)) return shortNames[name];
	const match = [...catalogue, ...Object.values(managedRulesets)].find(
		one => one.id === name || one.name.toLowerCase() === name,
	);
	if (match) return match.id;
	const isRule = catalogue.some(({rules = []}) => rules.some(({id}) => id === name));
	return /^[0-9a-f]{32}$/.test(name) && !isRule ? name : undefined;
}

const listRulesetNames = ({catalogue = []}: RulesState): readonly string[] => [
	...rulesetShortNames,
	...catalogue.filter(({id}) => !Object.values(shortNames).includes(id)).map(({name}) => name),
];

/** A rule or category of a managed ruleset. `idOrName`: the id of a rule, or the name of a category. */
type ResolvedPart = {readonly rulesetId: string; readonly idOrName: string};

/**
 * Resolves `NAME` or `RULESET:NAME` to a rule or category; a rule also by its OWASP number. Without a ruleset
 * it searches the catalogue, deployed rulesets first. Fails if none or several have it.
 */
export function resolveRulesetPart(
	word: string,
	kind: 'rule' | 'category',
	{catalogue = [], configuration}: RulesState & {readonly configuration: Pick<ManagedConfiguration, 'rules'>},
): ResolvedPart {
	const colonIndex = word.indexOf(':');
	const resolveIdOrName = (partName: string, contents: Pick<ManagedContents, 'rules'>) =>
		kind === 'rule' ? resolveRuleNumber(partName.trim(), contents) : partName.trim();
	if (colonIndex >= 0) {
		const rulesetId = resolveRuleset(word.slice(0, colonIndex), {catalogue});
		return {
			rulesetId,
			idOrName: resolveIdOrName(word.slice(colonIndex + 1), catalogue.find(({id}) => id === rulesetId) ?? {}),
		};
	}
	const idOrName = resolveIdOrName(word, {rules: catalogue.flatMap(({rules = []}) => rules)});
	const owners = listRulesetsWith(catalogue, kind, idOrName);
	const deployedOwners = owners.filter(({id}) =>
		configuration.rules.some(rule => findExecutedRulesetId(rule) === id),
	);
	const [owner, ...otherOwners] = deployedOwners.length > 0 ? deployedOwners : owners;
	if (owner && otherOwners.length === 0) return {rulesetId: owner.id, idOrName};
	if (owner)
		throw new Failure('usage', `More than one managed ruleset has the ${kind} ${idOrName}.`, {
			why: `Found in: ${formatNameList([owner, ...otherOwners].map(one => one.name))}.`,
			next: `Put the ruleset in front, for example owasp:${idOrName}.`,
		});
	throw createUnknownPartFailure(idOrName, kind, catalogue);
}

function createUnknownPartFailure(
	idOrName: string,
	kind: 'rule' | 'category',
	catalogue: readonly ManagedContents[],
): Failure {
	const unreadRulesets = catalogue.filter(({rules}) => rules === undefined);
	if (catalogue.length === 0 || unreadRulesets.length > 0)
		return new Failure('usage', `It is unknown which managed ruleset has the ${kind} ${idOrName}.`, {
			why: 'Not all managed rulesets of the zone could be read.',
			next: `Put the ruleset in front, for example owasp:${idOrName}.`,
		});
	return new Failure(
		'not_found',
		`No managed ruleset of the zone has a ${kind} ${idOrName}; nothing was sent.`,
		{
			next: buildAdvice`Find its ID: \`${buildZoneCommand('managed', 'catalogue')}\``,
		},
	);
}
