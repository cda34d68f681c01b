// claim, ask, guard, report
