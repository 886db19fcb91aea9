import {isFailure} from '../failure.ts';
import {
	type Configuration,
	type ConfiguredRule,
	canonicalRule,
	fingerprint,
} from '../migration/configuration/configuration.ts';
import {applyEdit, type Edit, editSentence} from '../migration/configuration/edits.ts';
import {exceptionRule} from '../migration/configuration/exceptions.ts';
import {executedRuleset} from '../migration/configuration/override-edits.ts';

/** An edit with what it was made to. */
export type MadeEdit = {readonly edit: Edit; readonly before: Configuration};

type Rebased = {
	readonly edits: readonly MadeEdit[];
	/** What they come to. */
	readonly configuration: Configuration;
	/** What can no longer be changed so, as sentences. Raw text of data. */
	readonly lost: readonly string[];
};

/**
 * The same edits made to rules that are otherwise by now: rules are found by their ids, own new ones by what they say. What
 * is so already is dropped. Pure.
 */
export function rebasedEdits(made: readonly MadeEdit[], now: Configuration): Rebased {
	const edits: MadeEdit[] = [];
	const lost: string[] = [];
	let configuration = now;
	for (const {edit, before} of made) {
		const moved = edited(edit, before, configuration);
		if (moved === 'done') continue;
		const after = moved === 'gone' ? undefined : attempted(configuration, moved);
		if (after === undefined || moved === 'gone') lost.push(editSentence(edit));
		else if (fingerprint(after) !== fingerprint(configuration)) {
			edits.push({edit: moved, before: configuration});
			configuration = after;
		}
	}
	return {edits, configuration, lost};
}

function attempted(configuration: Configuration, edit: Edit): Configuration | undefined {
	try {
		return applyEdit(configuration, edit);
	} catch (error) {
		if (isFailure(error)) return undefined;
		throw error;
	}
}

/** The edit with the places of its rules as they are now; `done` where it is so already, `gone` where its rule is. */
function edited(edit: Edit, before: Configuration, now: Configuration): Edit | 'done' | 'gone' {
	switch (edit.kind) {
		case 'rule enabled':
		case 'exception changed': {
			const rule = placeNow(edit.rule, before, now);
			return rule === undefined ? 'gone' : {...edit, rule};
		}
		case 'rule removed': {
			const rule = placeNow(edit.rule, before, now);
			return rule === undefined ? 'done' : {...edit, rule};
		}
		case 'ruleset deployed':
			return now.rules.some(rule => executedRuleset(rule) === edit.ruleset) ? 'done' : edit;
		case 'exception added': {
			const added = sayingOf(exceptionRule(edit.exception));
			const has = ({rules}: Configuration) => rules.filter(rule => sayingOf(rule) === added).length;
			return has(now) > has(before) ? 'done' : edit;
		}
		default:
			return edit;
	}
}

function placeNow(index: number, before: Configuration, now: Configuration): number | undefined {
	const rule = before.rules[index];
	if (!rule) return undefined;
	const at = now.rules.findIndex(one =>
		rule.id === undefined ? one.id === undefined && sayingOf(one) === sayingOf(rule) : one.id === rule.id,
	);
	return at < 0 ? undefined : at;
}

const sayingOf = (rule: ConfiguredRule): string => JSON.stringify(canonicalRule(rule));
