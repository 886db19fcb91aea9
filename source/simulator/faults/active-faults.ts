import {attempt} from '../../text/attempt.ts';
import {type Fault, parseFaults} from './faults.ts';

/** A fault, and the number of requests that it could have struck. */
type ActiveFault = {readonly fault: Fault; eligibleRequests: number};

/** The faults of a running simulator. */
export class ActiveFaults {
	#activeFaults: ActiveFault[] = [];

	constructor(faults: readonly Fault[] = []) {
		this.add(faults);
	}

	/** Adds faults, or their text. Fails with `usage` on bad text, without a change. */
	add(faults: readonly Fault[] | string): void {
		const newFaults = typeof faults === 'string' ? parseFaults(faults) : faults;
		this.#activeFaults.push(...newFaults.map(fault => ({fault, eligibleRequests: 0})));
	}

	/** Replaces all faults. Fails with `usage` on bad text, without a change. */
	replace(faults: readonly Fault[] | string): void {
		const newFaults = typeof faults === 'string' ? parseFaults(faults) : faults;
		this.clear();
		this.add(newFaults);
	}

	clear(): void {
		this.#activeFaults = [];
	}

	list(): readonly Fault[] {
		return this.#activeFaults.map(({fault}) => fault);
	}

	/** Returns the faults that may strike a request. */
	match(method: string, path: string): RequestFaults {
		const decodedPath = decodePath(path);
		return new RequestFaults(
			this.#activeFaults.filter(
				({fault}) =>
					(fault.method === undefined || fault.method === method) &&
					(fault.path === undefined || path.includes(fault.path) || decodedPath.includes(fault.path)),
			),
		);
	}
}

/**
 * The faults that may strike one request. A fault counts a request once, when one of its effects is first
 * needed and applies. So a fault that refuses keys does not count requests without these keys.
 */
export class RequestFaults {
	readonly #activeFaults: readonly ActiveFault[];
	readonly #decisions = new Map<ActiveFault, boolean>();

	constructor(activeFaults: readonly ActiveFault[]) {
		this.#activeFaults = activeFaults;
	}

	/**
	 * Returns the faults with this effect that strike the request and for which `applies` is true. The
	 * request counts for their `after` and `times`.
	 */
	take<Field extends keyof Fault>(
		field: Field,
		applies: (fault: Fault & {readonly [Name in Field]-?: NonNullable<Fault[Name]>}) => boolean = () => true,
	) {
		type FaultWithField = Fault & {readonly [Name in Field]-?: NonNullable<Fault[Name]>};
		const hasField = (activeFault: ActiveFault): activeFault is ActiveFault & {fault: FaultWithField} =>
			activeFault.fault[field] !== undefined;
		return this.#activeFaults
			.filter(hasField)
			.filter(activeFault => applies(activeFault.fault) && this.#decideStrike(activeFault))
			.map(activeFault => activeFault.fault);
	}

	#decideStrike(activeFault: ActiveFault): boolean {
		const earlierDecision = this.#decisions.get(activeFault);
		if (earlierDecision !== undefined) return earlierDecision;
		activeFault.eligibleRequests += 1;
		const {after = 0, times = Number.POSITIVE_INFINITY} = activeFault.fault;
		const isStriking = activeFault.eligibleRequests > after && activeFault.eligibleRequests <= after + times;
		this.#decisions.set(activeFault, isStriking);
		return isStriking;
	}
}

const decodePath = (path: string): string => attempt(() => decodeURIComponent(path)) ?? path;
