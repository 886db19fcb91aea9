import type {Ruleset} from '../../rulesets/ruleset.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import type {RuleThere} from '../custom-rules/writes.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import {beginningOf, type CustomForm} from './state.ts';

/** The change of a rule on another version of it: what was changed in the form stays changed, the rest is as it is there. */
export function rebased(form: CustomForm, rule: RuleThere, ruleset: Ruleset | undefined): CustomForm {
	const before = beginningOf(form.id, form.purpose, form.zone, form.ruleset);
	const theirs = beginningOf(form.id, {kind: 'change', rule}, form.zone, ruleset);
	const mine = <T>(of: (one: CustomForm) => T, inWords: (part: T) => string): T =>
		of(inWords(of(form)) === inWords(of(before)) ? theirs : form);
	const line = (row: 'description' | 'status' | 'body') => mine(({about}) => about[row], textOf);
	return {
		...theirs,
		step: form.step,
		editing: mine(({editing}) => editing, expressionOf),
		...mine(({action, skipped}) => ({action, skipped}), JSON.stringify),
		about: {
			...theirs.about,
			row: form.about.row,
			description: line('description'),
			status: line('status'),
			body: line('body'),
			type: mine(({about}) => about.type, String),
			paused: mine(({about}) => about.paused, String),
			logged: mine(({about}) => about.logged, String),
		},
	};
}
