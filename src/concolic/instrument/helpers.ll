; SPDX-License-Identifier: MIT
;
; The functions that instrumented code calls, which check in place whether there is anything to do, and call the
; library (abi.h) if there is. The instrumenter links this module into each module that it instruments, and makes the
; functions internal; they are inlined later.
;
; The compiler's thread sanitizer runs after the instrumenter and must not see the flag being read: it skips accesses
; to address spaces other than 0, and x86 gives 1 no meaning of its own. The read is volatile, because the hooks that
; the sanitizer adds can let other threads run, which the optimiser does not know when it moves reads.
;
; Pointers are passed on as pointers, to functions that do not capture them, so that an array that is local to a
; function stays local for the sanitizer.

@__mz_sym_active = external addrspace(1) global i8

declare i32 @__mz_sym_binary(i32, i32, i32, i32, i64, i64, i64) nounwind
declare i32 @__mz_sym_convert(i32, i32, i32, i32, i64) nounwind
declare i32 @__mz_sym_select(i32, i32, i32, i32, i64, i64) nounwind
declare void @__mz_sym_division(i32, i32, i32, i32, i64, i64) nounwind
declare void @__mz_sym_branch(i32, i32) nounwind
declare void @__mz_sym_switch(i32, i32, i64, i32, i64* nocapture) nounwind
declare void @__mz_sym_settle(i32, i32, i64) nounwind
declare void @__mz_sym_operand(i8* nocapture) nounwind
declare void @__mz_sym_lost(i32, i32, i8* nocapture) nounwind
declare void @__mz_sym_printed(i64, i32) nounwind
declare i32 @__mz_sym_load(i8* nocapture, i32, i64) nounwind
declare void @__mz_sym_store(i8* nocapture, i32, i32, i64) nounwind
declare void @__mz_sym_copy(i8* nocapture, i8* nocapture, i64) nounwind
declare void @__mz_sym_set(i8* nocapture, i64, i32) nounwind
declare void @__mz_sym_reaches(i8* nocapture, i8* nocapture, i64, i64, i8* nocapture) nounwind
declare void @__mz_sym_pass(i8* nocapture, i32, i32) nounwind
declare i32 @__mz_sym_parameter(i8* nocapture, i32, i64, i32) nounwind
declare void @__mz_sym_entered() nounwind
declare void @__mz_sym_variable(i8* nocapture) nounwind
declare void @__mz_sym_start_list(i8* nocapture, i8* nocapture) nounwind
declare void @__mz_sym_printed_list(i8* nocapture, i64, i32) nounwind
declare void @__mz_sym_return(i8* nocapture, i32, i32) nounwind
declare i32 @__mz_sym_result(i8* nocapture, i32, i64, i32) nounwind

define i1 @mz.active() alwaysinline nounwind {
	%flag = load volatile i8, i8 addrspace(1)* @__mz_sym_active
	%active = icmp ne i8 %flag, 0
	ret i1 %active
}

define i32 @mz.binary(i32 %op, i32 %width, i32 %a, i32 %b, i64 %va, i64 %vb, i64 %result) alwaysinline nounwind {
	%some = or i32 %a, %b
	%any = icmp ne i32 %some, 0
	br i1 %any, label %ask, label %end, !prof !0
ask:
	%made = call i32 @__mz_sym_binary(i32 %op, i32 %width, i32 %a, i32 %b, i64 %va, i64 %vb, i64 %result)
	br label %end
end:
	%shadow = phi i32 [ 0, %0 ], [ %made, %ask ]
	ret i32 %shadow
}

define i32 @mz.convert(i32 %op, i32 %from, i32 %to, i32 %a, i64 %result) alwaysinline nounwind {
	%any = icmp ne i32 %a, 0
	br i1 %any, label %ask, label %end, !prof !0
ask:
	%made = call i32 @__mz_sym_convert(i32 %op, i32 %from, i32 %to, i32 %a, i64 %result)
	br label %end
end:
	%shadow = phi i32 [ 0, %0 ], [ %made, %ask ]
	ret i32 %shadow
}

; `taken` is the value of the condition, `condition` its shadow.
define i32 @mz.select(i32 %width, i1 %taken, i32 %condition, i32 %a, i32 %b, i64 %va, i64 %vb) alwaysinline nounwind {
	%any = icmp ne i32 %condition, 0
	br i1 %any, label %ask, label %end, !prof !0
ask:
	%made = call i32 @__mz_sym_select(i32 %width, i32 %condition, i32 %a, i32 %b, i64 %va, i64 %vb)
	ret i32 %made
end:
	%shadow = select i1 %taken, i32 %a, i32 %b
	ret i32 %shadow
}

define void @mz.division(i32 %op, i32 %width, i32 %a, i32 %b, i64 %va, i64 %vb) alwaysinline nounwind {
	%some = or i32 %a, %b
	%any = icmp ne i32 %some, 0
	br i1 %any, label %ask, label %end, !prof !0
ask:
	call void @__mz_sym_division(i32 %op, i32 %width, i32 %a, i32 %b, i64 %va, i64 %vb)
	br label %end
end:
	ret void
}

define void @mz.branch(i32 %shadow, i1 %value) alwaysinline nounwind {
	%any = icmp ne i32 %shadow, 0
	br i1 %any, label %ask, label %end, !prof !0
ask:
	%wide = zext i1 %value to i32
	call void @__mz_sym_branch(i32 %shadow, i32 %wide)
	br label %end
end:
	ret void
}

define void @mz.switch(i32 %shadow, i32 %width, i64 %value, i32 %ncases, i64* %cases) alwaysinline nounwind {
	%any = icmp ne i32 %shadow, 0
	br i1 %any, label %ask, label %end, !prof !0
ask:
	call void @__mz_sym_switch(i32 %shadow, i32 %width, i64 %value, i32 %ncases, i64* %cases)
	br label %end
end:
	ret void
}

define void @mz.settle(i32 %shadow, i32 %width, i64 %value) alwaysinline nounwind {
	%any = icmp ne i32 %shadow, 0
	br i1 %any, label %ask, label %end, !prof !0
ask:
	call void @__mz_sym_settle(i32 %shadow, i32 %width, i64 %value)
	br label %end
end:
	ret void
}

define void @mz.operand(i32 %shadow, i8* nocapture %address) alwaysinline nounwind {
	%any = icmp ne i32 %shadow, 0
	br i1 %any, label %tell, label %end, !prof !0
tell:
	call void @__mz_sym_operand(i8* nocapture %address) nounwind
	br label %end
end:
	ret void
}

; Called from where the program is, not from a function of its own: the library looks for the caller's line.
define void @mz.settle.address(i32 %shadow, i8* nocapture %address) alwaysinline nounwind {
	%any = icmp ne i32 %shadow, 0
	br i1 %any, label %ask, label %end, !prof !0
ask:
	call void bitcast (void (i32, i32, i64)* @__mz_sym_settle to void (i32, i32, i8*)*)(i32 %shadow, i32 64, i8* nocapture %address) nounwind
	br label %end
end:
	ret void
}

; `result` is `base` plus `offset`, which has the shadow `shift`, plus a rest that has no shadow. 2 is MZ_OPERATOR_ADD.
define i32 @mz.address.now(i32 %shadow, i32 %shift, i8* nocapture %base, i64 %offset, i8* nocapture %result) noinline cold nounwind disable_sanitizer_instrumentation {
	%from = ptrtoint i8* %base to i64
	%to = ptrtoint i8* %result to i64
	%start = sub i64 %to, %offset
	%rest = sub i64 %start, %from
	%symbolic = icmp ne i32 %shadow, 0
	%apart = icmp ne i64 %rest, 0
	%both = and i1 %symbolic, %apart
	br i1 %both, label %add, label %added
add:
	%sum = call i32 @__mz_sym_binary(i32 2, i32 64, i32 %shadow, i32 0, i64 %from, i64 %rest, i64 %start)
	br label %added
added:
	%so.far = phi i32 [ %shadow, %0 ], [ %sum, %add ]
	%shifted = icmp ne i32 %shift, 0
	%moved = icmp ne i64 %offset, 0
	%more = or i1 %shifted, %moved
	br i1 %more, label %last, label %end
last:
	%all = call i32 @__mz_sym_binary(i32 2, i32 64, i32 %so.far, i32 %shift, i64 %start, i64 %offset, i64 %to)
	br label %end
end:
	%made = phi i32 [ %so.far, %added ], [ %all, %last ]
	ret i32 %made
}

define i32 @mz.address(i32 %shadow, i32 %shift, i8* nocapture %base, i64 %offset, i8* nocapture %result) alwaysinline nounwind {
	%some = or i32 %shadow, %shift
	%any = icmp ne i32 %some, 0
	br i1 %any, label %ask, label %end, !prof !0
ask:
	%made = call i32 @mz.address.now(i32 %shadow, i32 %shift, i8* %base, i64 %offset, i8* %result)
	br label %end
end:
	%sum = phi i32 [ 0, %0 ], [ %made, %ask ]
	ret i32 %sum
}

define void @mz.lost(i32 %shadow, i32 %kind, i8* %what) alwaysinline nounwind {
	%any = icmp ne i32 %shadow, 0
	br i1 %any, label %ask, label %end, !prof !0
ask:
	call void @__mz_sym_lost(i32 %shadow, i32 %kind, i8* %what)
	br label %end
end:
	ret void
}

define void @mz.printed(i32 %shadow, i64 %to, i32 %stream) alwaysinline nounwind {
	%any = icmp ne i32 %shadow, 0
	br i1 %any, label %ask, label %end, !prof !0
ask:
	call void @__mz_sym_printed(i64 %to, i32 %stream)
	br label %end
end:
	ret void
}

define i32 @mz.load(i8* nocapture %address, i32 %size, i64 %value) alwaysinline nounwind {
	%active = call i1 @mz.active()
	br i1 %active, label %ask, label %end, !prof !0
ask:
	%found = call i32 @__mz_sym_load(i8* %address, i32 %size, i64 %value)
	br label %end
end:
	%shadow = phi i32 [ 0, %0 ], [ %found, %ask ]
	ret i32 %shadow
}

; `done` is 0 if nothing was written after all.
define void @mz.store(i1 %done, i8* nocapture %address, i32 %size, i32 %shadow, i64 %value) alwaysinline nounwind {
	%active = call i1 @mz.active()
	%both = and i1 %active, %done
	br i1 %both, label %ask, label %end, !prof !0
ask:
	call void @__mz_sym_store(i8* %address, i32 %size, i32 %shadow, i64 %value)
	br label %end
end:
	ret void
}

define void @mz.copy(i8* nocapture %to, i8* nocapture %from, i64 %size) alwaysinline nounwind {
	%active = call i1 @mz.active()
	br i1 %active, label %ask, label %end, !prof !0
ask:
	call void @__mz_sym_copy(i8* %to, i8* %from, i64 %size)
	br label %end
end:
	ret void
}

define void @mz.set(i8* nocapture %to, i64 %size, i32 %shadow) alwaysinline nounwind {
	%active = call i1 @mz.active()
	br i1 %active, label %ask, label %end, !prof !0
ask:
	call void @__mz_sym_set(i8* %to, i64 %size, i32 %shadow)
	br label %end
end:
	ret void
}

define void @mz.reaches(i8* %callee, i8* %pointer, i64 %size, i64 %count, i8* %name) alwaysinline nounwind {
	%active = call i1 @mz.active()
	br i1 %active, label %ask, label %end, !prof !0
ask:
	call void @__mz_sym_reaches(i8* %callee, i8* %pointer, i64 %size, i64 %count, i8* %name)
	br label %end
end:
	ret void
}

define void @mz.pass(i8* %callee, i32 %index, i32 %shadow) alwaysinline nounwind {
	%any = icmp ne i32 %shadow, 0
	br i1 %any, label %ask, label %end, !prof !0
ask:
	call void @__mz_sym_pass(i8* %callee, i32 %index, i32 %shadow)
	br label %end
end:
	ret void
}

; Several of the following functions are called with the same `active`: the optimiser makes one check of them.
define i32 @mz.parameter(i1 %active, i8* %self, i32 %index, i64 %value, i32 %width) alwaysinline nounwind {
	br i1 %active, label %ask, label %end, !prof !0
ask:
	%passed = call i32 @__mz_sym_parameter(i8* %self, i32 %index, i64 %value, i32 %width)
	br label %end
end:
	%shadow = phi i32 [ 0, %0 ], [ %passed, %ask ]
	ret i32 %shadow
}

define void @mz.variable(i1 %active, i8* %self) alwaysinline nounwind {
	br i1 %active, label %ask, label %end, !prof !0
ask:
	call void @__mz_sym_variable(i8* %self)
	br label %end
end:
	ret void
}

define void @mz.start.list(i1 %active, i8* %self, i8* %list) alwaysinline nounwind {
	br i1 %active, label %ask, label %end, !prof !0
ask:
	call void @__mz_sym_start_list(i8* %self, i8* %list)
	br label %end
end:
	ret void
}

define void @mz.printed.list(i1 %active, i8* %list, i64 %to, i32 %stream) alwaysinline nounwind {
	br i1 %active, label %ask, label %end, !prof !0
ask:
	call void @__mz_sym_printed_list(i8* %list, i64 %to, i32 %stream)
	br label %end
end:
	ret void
}

define void @mz.entered(i1 %active) alwaysinline nounwind {
	br i1 %active, label %ask, label %end, !prof !0
ask:
	call void @__mz_sym_entered()
	br label %end
end:
	ret void
}

define void @mz.return(i1 %active, i8* %self, i32 %index, i32 %shadow) alwaysinline nounwind {
	br i1 %active, label %ask, label %end, !prof !0
ask:
	call void @__mz_sym_return(i8* %self, i32 %index, i32 %shadow)
	br label %end
end:
	ret void
}

define i32 @mz.result(i1 %active, i8* %callee, i32 %index, i64 %value, i32 %width) alwaysinline nounwind {
	br i1 %active, label %ask, label %end, !prof !0
ask:
	%returned = call i32 @__mz_sym_result(i8* %callee, i32 %index, i64 %value, i32 %width)
	br label %end
end:
	%shadow = phi i32 [ 0, %0 ], [ %returned, %ask ]
	ret i32 %shadow
}

; A struct that is passed by value: its bytes are passed and taken as parameters from `first` on, eight at a time, and
; one at a time where fewer than eight are left.
define void @mz.pass.block.now(i8* %callee, i32 %first, i8* nocapture %block, i64 %size) noinline cold nounwind disable_sanitizer_instrumentation {
	br label %next
next:
	%i = phi i64 [ 0, %0 ], [ %following, %pass ]
	%index = phi i32 [ %first, %0 ], [ %index.following, %pass ]
	%at = getelementptr i8, i8* %block, i64 %i
	%left = sub i64 %size, %i
	%large = icmp uge i64 %left, 8
	br i1 %large, label %eight, label %one
eight:
	%at.eight = bitcast i8* %at to i64*
	%bytes = load i64, i64* %at.eight, align 1
	br label %pass
one:
	%byte = load i8, i8* %at
	%byte.wide = zext i8 %byte to i64
	br label %pass
pass:
	%part = phi i32 [ 8, %eight ], [ 1, %one ]
	%value = phi i64 [ %bytes, %eight ], [ %byte.wide, %one ]
	%shadow = call i32 @__mz_sym_load(i8* %at, i32 %part, i64 %value)
	call void @mz.pass(i8* %callee, i32 %index, i32 %shadow)
	%index.following = add i32 %index, 1
	%part.wide = zext i32 %part to i64
	%following = add i64 %i, %part.wide
	%more = icmp ult i64 %following, %size
	br i1 %more, label %next, label %end
end:
	ret void
}

define void @mz.pass.block(i8* %callee, i32 %first, i8* nocapture %block, i64 %size) alwaysinline nounwind {
	%active = call i1 @mz.active()
	br i1 %active, label %ask, label %end, !prof !0
ask:
	call void @mz.pass.block.now(i8* %callee, i32 %first, i8* %block, i64 %size)
	br label %end
end:
	ret void
}

define void @mz.parameter.block.now(i8* %self, i32 %first, i8* nocapture %block, i64 %size) noinline cold nounwind disable_sanitizer_instrumentation {
	br label %next
next:
	%i = phi i64 [ 0, %0 ], [ %following, %take ]
	%index = phi i32 [ %first, %0 ], [ %index.following, %take ]
	%at = getelementptr i8, i8* %block, i64 %i
	%left = sub i64 %size, %i
	%large = icmp uge i64 %left, 8
	br i1 %large, label %eight, label %one
eight:
	%at.eight = bitcast i8* %at to i64*
	%bytes = load i64, i64* %at.eight, align 1
	br label %take
one:
	%byte = load i8, i8* %at
	%byte.wide = zext i8 %byte to i64
	br label %take
take:
	%part = phi i32 [ 8, %eight ], [ 1, %one ]
	%value = phi i64 [ %bytes, %eight ], [ %byte.wide, %one ]
	%width = shl i32 %part, 3
	%shadow = call i32 @__mz_sym_parameter(i8* %self, i32 %index, i64 %value, i32 %width)
	call void @__mz_sym_store(i8* %at, i32 %part, i32 %shadow, i64 %value)
	%index.following = add i32 %index, 1
	%part.wide = zext i32 %part to i64
	%following = add i64 %i, %part.wide
	%more = icmp ult i64 %following, %size
	br i1 %more, label %next, label %end
end:
	ret void
}

define void @mz.parameter.block(i1 %active, i8* %self, i32 %first, i8* nocapture %block, i64 %size) alwaysinline nounwind {
	br i1 %active, label %ask, label %end, !prof !0
ask:
	call void @mz.parameter.block.now(i8* %self, i32 %first, i8* %block, i64 %size)
	br label %end
end:
	ret void
}

!0 = !{!"branch_weights", i32 1, i32 2000}
