import {isFailure, toFailure} from '../../failure.ts';
import {kindNames} from './about.ts';
import {createKeyViewInSteps, type Derivation, type KeyView, type ValueForm} from './value-view.ts';

/** The views of a value: its stored bytes, and what they decode to. */
export type ValueViews = {
	readonly stored: KeyView;
	/** Undefined if the value is not encoded, as far as detected. */
	readonly decoded?: KeyView | undefined;
	/** Why an encoded value is not decoded: damage, or a limit. */
	readonly decodingProblem?: string | undefined;
};

type PreviousViews = {readonly [Name in keyof ValueViews]?: ValueViews[Name] | undefined};

/**
 * Creates the views of a value of any size; keystrokes are let through. Unchanged parts keep the folds
 * and the cursors of the previous views.
 */
export async function createValueViews(
	bytes: Uint8Array,
	previous: PreviousViews,
	signal: AbortSignal,
): Promise<ValueViews> {
	const stored = await createKeyViewInSteps(bytes, previous.stored, signal);
	if (stored === previous.stored) return {...previous, stored};
	// JSON is what decoding leads to.
	if (stored.kind === 'json') return {stored};
	try {
		return {stored, decoded: await createDecodedView(bytes, previous.decoded, signal)};
	} catch (error) {
		const failure = toFailure(error);
		if (!isFailure(failure, 'value_undecodable')) throw error;
		return {stored, decodingProblem: failure.message};
	}
}

/** The views of an open key: the one shown, and the other one of the stored and the decoded value. */
export type ShownViews = {
	readonly view: KeyView | undefined;
	/** Undefined if the value is not encoded. */
	readonly otherView?: KeyView | undefined;
	readonly decodingProblem?: string | undefined;
};

export const toValueViews = ({view, otherView, decodingProblem}: ShownViews): PreviousViews =>
	view?.derivation ? {stored: otherView, decoded: view} : {stored: view, decoded: otherView, decodingProblem};

/** Shows the decoded value first, unless its stored bytes were shown before. */
export function toShownViews(
	{stored, decoded, decodingProblem}: ValueViews,
	previous: ShownViews | undefined,
): ShownViews & {readonly view: KeyView} {
	const showsStored = previous?.otherView !== undefined && !previous.view?.derivation;
	return decoded && !showsStored
		? {view: decoded, otherView: stored, decodingProblem}
		: {view: stored, otherView: decoded, decodingProblem};
}

async function createDecodedView(
	bytes: Uint8Array,
	previous: KeyView | undefined,
	signal: AbortSignal,
): Promise<KeyView | undefined> {
	const {decodeValue} = await import('../../decoding/decode.ts');
	const {decodingLimits, formatEncodings} = await import('../../decoding/encodings.ts');
	const maxBytes = decodingLimits.screenBytes;
	const decoded = await decodeValue(bytes, {encoding: 'auto', maxBytes}, signal);
	if (!decoded) return undefined;
	const {picture, encodings, notes} = decoded;
	const isSameKind = previous !== undefined && (previous.derivation?.picture === undefined) === !picture;
	const view = await createKeyViewInSteps(
		picture ? decoded.bytes.subarray(0, 0) : decoded.bytes,
		isSameKind ? previous : undefined,
		signal,
	);
	const label = [formatEncodings(encodings, kindNames[view.kind]), ...notes].join(', ');
	return toDerivedView(view, {label, picture});
}

/** Marks a view as derived from a value, in the forms that make sense for it. */
export function toDerivedView(view: KeyView, derivation: Derivation): KeyView {
	const forms = derivation.picture ? imageForms : decodedForms[view.kind];
	const form = forms.includes(view.form) ? view.form : forms[0];
	const kind = derivation.picture ? 'binary' : view.kind;
	return {...view, kind, forms, form, lastMovedForm: form, derivation};
}

const imageForms: KeyView['forms'] = ['image'];

const decodedForms: Readonly<Record<KeyView['kind'], readonly [ValueForm, ...ValueForm[]]>> = {
	json: ['json', 'text'],
	text: ['text'],
	binary: ['hex'],
};
