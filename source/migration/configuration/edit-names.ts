import type {Configuration} from './configuration.ts';
import {ruleNameInFull} from './difference-words.ts';
import {type Edit, editSentence} from './edits.ts';

type RulesetContents = {
	readonly id: string;
	readonly rules?: readonly {readonly id: string; readonly description: string}[] | undefined;
};

/**
 * Formats an edit like `editSentence`, with the names of the rules that this knows by place or id alone. `before`: what the
 * edit is made to; `managed`: the managed rulesets of the zone. Holds raw text of data.
 */
export function describeEdit(
	edit: Edit,
	{rules}: Pick<Configuration, 'rules'>,
	managed: readonly RulesetContents[] = [],
): string {
	const sentence = editSentence(edit);
	if (edit.kind === 'managed rule override') {
		const contents = managed.find(({id}) => id === edit.ruleset);
		const name = contents?.rules?.find(({id}) => id === edit.id)?.description;
		return name ? sentence.replace(edit.id, () => `"${name}" (${edit.id})`) : sentence;
	}
	if (!('rule' in edit)) return sentence;
	const rule = rules[edit.rule];
	const place = `ule ${edit.rule + 1}`;
	return rule ? sentence.replace(place, () => `${place} (${ruleNameInFull(rule)})`) : sentence;
}
