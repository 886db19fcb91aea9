import {type Fault, parseFaults} from './faults.ts';

/** `chances` counts the requests that the fault could have struck. */
type PlannedFault = {readonly fault: Fault; chances: number};

/** The faults of a running simulator. */
export class FaultPlan {
	#planned: PlannedFault[] = [];

	constructor(faults: readonly Fault[] = []) {
		this.add(faults);
	}

	/** Adds faults, or their text. Fails with `usage` on bad text, without a change. */
	add(faults: readonly Fault[] | string): void {
		const given = typeof faults === 'string' ? parseFaults(faults) : faults;
		this.#planned.push(...given.map(fault => ({fault, chances: 0})));
	}

	/** Replaces all faults. Fails with `usage` on bad text, without a change. */
	replace(faults: readonly Fault[] | string): void {
		const given = typeof faults === 'string' ? parseFaults(faults) : faults;
		this.clear();
		this.add(given);
	}

	clear(): void {
		this.#planned = [];
	}

	list(): readonly Fault[] {
		return this.#planned.map(({fault}) => fault);
	}

	/** Returns the faults that may strike a request. */
	match(method: string, path: string): Strikes {
		const readable = decodePath(path);
		return new Strikes(
			this.#planned.filter(
				({fault}) =>
					(fault.method === undefined || fault.method === method) &&
					(fault.path === undefined || path.includes(fault.path) || readable.includes(fault.path)),
			),
		);
	}
}

/**
 * The faults that may strike one request. A fault counts a request once, when an effect of it is first needed
 * and applies: one that refuses keys does not wear out on requests without these keys.
 */
export class Strikes {
	readonly #planned: readonly PlannedFault[];
	readonly #struck = new Map<PlannedFault, boolean>();

	constructor(planned: readonly PlannedFault[]) {
		this.#planned = planned;
	}

	/** Returns the faults with this effect that strike now, if `applies` confirms it; counts the request. */
	take<Field extends keyof Fault>(
		field: Field,
		applies: (fault: Fault & {readonly [Name in Field]-?: NonNullable<Fault[Name]>}) => boolean = () => true,
	) {
		type Having = Fault & {readonly [Name in Field]-?: NonNullable<Fault[Name]>};
		const hasField = (planned: PlannedFault): planned is PlannedFault & {fault: Having} =>
			planned.fault[field] !== undefined;
		return this.#planned
			.filter(hasField)
			.filter(planned => applies(planned.fault) && this.#strikes(planned))
			.map(planned => planned.fault);
	}

	#strikes(planned: PlannedFault): boolean {
		const before = this.#struck.get(planned);
		if (before !== undefined) return before;
		planned.chances += 1;
		const {after = 0, times = Number.POSITIVE_INFINITY} = planned.fault;
		const strikes = planned.chances > after && planned.chances <= after + times;
		this.#struck.set(planned, strikes);
		return strikes;
	}
}

function decodePath(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}
