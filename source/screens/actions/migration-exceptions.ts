import {analyse} from '../../firewall/expressions.ts';
import type {ConfiguredRule} from '../../migration/configuration.ts';
import {readSkips, type Skips} from '../../migration/exceptions.ts';
import {rulesetName} from '../../migration/mapping.ts';
import type {EditRow} from '../../store/migration-edit-rows.ts';
import {drawable} from '../../text/columns.ts';
import type {App} from '../action.ts';
import {rulesetsIn} from './migration-overriding.ts';

/** Asks for what an exception skips, then its expression, then what it is for. */
export function askException(app: App, at?: {readonly index: number; readonly rule: ConfiguredRule}): void {
	const rulesets = rulesetsIn(app.state());
	const before = at && readSkips(at.rule);
	const kept = 'as it is';
	app.state().open({
		kind: 'choice',
		title: 'What does the exception skip?',
		lines: ['For requests that match its expression. It stands before what it skips.'],
		choices: [
			...(before ? [{value: kept, label: 'What it skips now'}] : []),
			{value: 'all', label: 'All managed rules after it'},
			...rulesets.map(id => ({value: `ruleset ${id}`, label: drawable(`All of ${rulesetName(id)}`)})),
			...rulesets.map(id => ({value: `rules ${id}`, label: drawable(`Some rules of ${rulesetName(id)}`)})),
		],
		choose(value) {
			const [kind, id = ''] = value.split(' ');
			if (value === kept && before) return askExpression(app, before, at);
			if (kind === 'all') return askExpression(app, {kind: 'all'}, at);
			if (kind === 'ruleset') return askExpression(app, {kind: 'rulesets', ids: [id]}, at);
			askRules(app, id, at);
		},
	});
}

type At = {readonly index: number; readonly rule: ConfiguredRule} | undefined;

const idsIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);

function askRules(app: App, ruleset: string, at: At): void {
	app.state().openField({
		title: 'Ids of the rules to skip',
		lines: [`Of ${rulesetName(ruleset)}, with spaces in between.`],
		value: '',
		does: 'go on',
		check: value =>
			idsIn(value).length > 0 && idsIn(value).every(id => /^[0-9a-f]{32}$/.test(id))
				? undefined
				: 'Each is 32 digits from 0 to f.',
		submit: value => askExpression(app, {kind: 'rules', rules: {[ruleset]: idsIn(value)}}, at),
	});
}

function askExpression(app: App, skips: Skips, at: At): void {
	app.state().openField({
		title: 'Which requests?',
		lines: ['An expression, as ip.src in {192.0.2.0/24}; true is all of them.'],
		value: at?.rule.expression ?? '',
		does: 'go on',
		check: value => analyse(value, {plan: app.state().migration?.zone.plan}).errors[0]?.sentence,
		submit: expression => askDescription(app, expression, skips, at),
	});
}

function askDescription(app: App, expression: string, skips: Skips, at: At): void {
	app.state().openField({
		title: 'What is it for?',
		lines: ['A few words for those who come after you.'],
		value: at?.rule.description ?? '',
		does: at ? 'change the exception' : 'add the exception',
		submit(description) {
			const exception = {expression, skips, description};
			app
				.state()
				.applyMigrationEdit(
					at ? {kind: 'exception changed', rule: at.index, exception} : {kind: 'exception added', exception},
				);
		},
	});
}

/** Whether a row is an exception, which can be changed as one. */
export const exceptionAt = (row: EditRow): boolean =>
	row.kind === 'rule' && readSkips(row.rule) !== undefined;
