import {type ChosenKeys, chosenText} from '../keys/chosen.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import type {App} from '../shell/app.ts';
import {farOf} from './other-store.ts';

type StoreQuestion = {
	/** "Copy", "Compare". */
	readonly does: string;
	/** Whether it is written to: then a file is none of the stores. */
	readonly into: boolean;
	/** What is to be known before. */
	readonly lines: readonly string[];
	/** Takes the name of the store. */
	chosen(name: string): void;
};

/** Asks for another store than the one whose keys are shown: what lies near is offered, and each can be named. */
export function chooseStore(app: App, which: ChosenKeys, {does, into, lines, chosen}: StoreQuestion): void {
	const keys = app.state().keys.data;
	const {open} = app.state().dialog;
	const {storeNameProblem} = app.state().paths;
	if (!keys) return;
	const {namespace} = keys;
	const title = `${does} ${chosenText(which, namespace.title)} ${into ? 'into' : 'with'}`;
	const askForName = () =>
		open({
			kind: 'entry',
			title,
			lines: [`remote:TITLE, preview:BINDING, local:ID@FOLDER, simulated:TITLE${into ? '' : ', file:PATH'}`],
			value: '',
			does: does.toLowerCase(),
			check: name => storeNameProblem(name, {into}),
			submit: name => chosen(name.trim()),
		});
	open({
		kind: 'choice',
		title,
		lines,
		choices: [
			...nearOf(namespace).map(({name, title}) => ({value: name, label: title})),
			{value: '', label: 'another store, by its name'},
		],
		choose: name => (name === '' ? askForName() : chosen(name)),
	});
}

/** The preview or production namespace of the same binding, and the namespace of the same id on the other side. */
const nearOf = (row: NamespaceRow): readonly {name: string; title: string}[] =>
	[row.pair, farOf(row)].filter(one => one !== undefined);
