/**
 * Counts the methods of the ports: those of every type that src/ports exports, including inherited ones and properties that are functions.
 * Types are composed (extends, &, Pick), so the compiler counts. It gets a minimal standard library: methods that it does not know then are
 * not ours.
 */
import { join } from 'node:path'
import ts from 'typescript'
import { isForTests, type SourceFile } from './source-files.ts'

export interface Port {
  /** Relative to src. */
  path: string
  line: number
  name: string
  methods: number
}

const MODULE = 'ports'

export function readPorts(src: string, files: SourceFile[]): Port[] {
  const paths = files.filter(({ module, path }) => module === MODULE && !isForTests(path)).map(({ path }) => path)
  if (paths.length === 0) return []
  const program = ts.createProgram(
    paths.map((path) => join(src, path)),
    { lib: ['lib.es5.d.ts'], types: [], noEmit: true, allowImportingTsExtensions: true, strict: true },
  )
  const checker = program.getTypeChecker()
  return paths.flatMap((path) => {
    const tree = program.getSourceFile(join(src, path))!
    return tree.statements.filter(isExportedType).map(({ name }): Port => {
      const { line } = tree.getLineAndCharacterOfPosition(name.getStart(tree))
      return { path, line: line + 1, name: name.text, methods: methodsOf(checker.getTypeAtLocation(name), checker) }
    })
  })
}

function isExportedType(node: ts.Statement): node is ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  if (!ts.isInterfaceDeclaration(node) && !ts.isTypeAliasDeclaration(node)) return false
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
}

/** Numbers, lists and unions have methods, too, but not ours. */
function methodsOf(type: ts.Type, checker: ts.TypeChecker): number {
  const parts = type.isIntersection() ? type.types : [type]
  if (parts.some((part) => !(part.flags & ts.TypeFlags.Object) || checker.isArrayLikeType(part))) return 0
  return type.getProperties().filter((property) => isMethod(checker.getTypeOfSymbol(property))).length
}

/** An optional method is a function or undefined. */
function isMethod(type: ts.Type): boolean {
  return (type.isUnion() ? type.types : [type]).some((part) => part.getCallSignatures().length > 0)
}
