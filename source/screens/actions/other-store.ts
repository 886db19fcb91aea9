import {type ChosenKeys, chosenText} from '../../store/chosen-keys.ts';
import type {NamespaceRow} from '../../store/namespace-rows.ts';
import type {App} from '../action.ts';

export type StoreQuestion = {
	/** "Copy", "Compare". */
	readonly does: string;
	/** Whether it is written to: then a file is none of the stores. */
	readonly into: boolean;
	/** Takes the name of the store. */
	chosen(name: string): void;
};

/** Asks for another store than the one whose keys are shown: what lies near is offered, and each can be named. */
export function chooseStore(app: App, which: ChosenKeys, {does, into, chosen}: StoreQuestion): void {
	const {keys, open, storeNameProblem} = app.state();
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
			check: storeNameProblem,
			submit: chosen,
		});
	open({
		kind: 'choice',
		title,
		lines: [],
		choices: [
			...nearOf(namespace).map(({name, label}) => ({value: name, label})),
			{value: '', label: 'another store, by its name'},
		],
		choose: name => (name === '' ? askForName() : chosen(name)),
	});
}

/** The preview or production namespace of the same binding, and the namespace of the same id on the other side. */
function nearOf({where, id, title, pair}: NamespaceRow): readonly {name: string; label: string}[] {
	const far = where === 'local' ? 'remote' : 'local';
	return [
		// Rows are named as stores are: `remote:ID`, `local:ID`.
		...(pair ? [{name: pair.name, label: pair.title}] : []),
		...(id === undefined ? [] : [{name: `${far}:${id}`, label: `${title}, ${far}`}]),
	];
}
